import { Link } from "@tanstack/react-router";
import { Plus, UsersRound } from "lucide-react";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { usePlatforms } from "@/api/queries/platforms";
import { accountWords } from "@/strings/accounts";
import { Button } from "@/ui/button";
import { EmptyState, Page, Rows } from "@/ui/page";
import { Initials } from "@/ui/parts";
import { Loaded } from "../problem";
import { useSession } from "../session";
import { ConnectDialog, useConnect } from "./connect";
import { nameOf } from "./names";
import { ConnectNotice, type ConnectSearch } from "./notice";
import { AccountBadge, standing } from "./standing";

/** The workspace's accounts. */
export function AccountList({ search }: { search: ConnectSearch }) {
  const platforms = usePlatforms();
  const { may } = useSession();
  const [connecting, setConnecting] = useState(false);
  const button = may("admin") ? (
    <Button kind="primary" onClick={() => setConnecting(true)}>
      <Plus aria-hidden className="size-4" />
      {accountWords.connect}
    </Button>
  ) : null;
  const isEmpty = platforms.data?.platforms.length === 0;
  return (
    <Page
      title={accountWords.title}
      intro={may("admin") ? accountWords.intro : accountWords.onlyAdmins}
      actions={isEmpty ? null : button}
    >
      <Loaded query={platforms}>
        {({ platforms }) => (
          <>
            <ConnectNotice search={search} platforms={platforms} />
            {platforms.length === 0 ? (
              <EmptyState icon={UsersRound} title={accountWords.emptyTitle} action={button}>
                {accountWords.emptyText}
              </EmptyState>
            ) : (
              <Rows label={accountWords.title}>
                {platforms.map((platform) => (
                  <Row key={platform.id} platform={platform} />
                ))}
              </Rows>
            )}
          </>
        )}
      </Loaded>
      <ConnectDialog open={connecting} onClose={() => setConnecting(false)} />
    </Page>
  );
}

function Row({ platform }: { platform: Schemas["Platform"] }) {
  const { may } = useSession();
  const { connect, start } = useConnect();
  const needsConnecting = platform.refreshNeeded && !platform.disabled && may("admin");
  return (
    <li className="relative flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3.5 transition-colors hover:bg-hover">
      <Initials name={nameOf(platform)} large />
      <div className="min-w-40 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <Link
            to="/accounts/$id"
            params={{ id: platform.id }}
            className="font-medium -outline-offset-2 before:absolute before:inset-0"
          >
            {nameOf(platform)}
          </Link>
          {platform.displayHandle && <span className="text-soft">@{platform.displayHandle}</span>}
        </p>
        <p className="text-soft">
          {platform.connection === "business" ? accountWords.business : platform.providerName}
          {" · "}
          {standing(platform)}
        </p>
      </div>
      {needsConnecting && (
        <Button
          size="small"
          className="relative z-10"
          busy={connect.isPending}
          onClick={() => start(platform.connection)}
        >
          {accountWords.reconnect}
        </Button>
      )}
      <AccountBadge platform={platform} />
    </li>
  );
}
