import { Link } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { home } from "@/strings/home";
import { Button } from "@/ui/button";
import { Rows, Section } from "@/ui/page";
import { Initials } from "@/ui/parts";
import { nameOf, useAccountName } from "../accounts/names";
import { AccountBadge } from "../accounts/standing";
import { PostRow } from "../posts/row";
import { useNeeds } from "../shell/needs";

const FEW = 5;

/** Accounts to connect again, and posts that require action. */
export function Needs() {
  const { accounts, posts, count, isKnown } = useNeeds();
  const [all, setAll] = useState(false);
  const accountName = useAccountName();
  if (!isKnown) return null;
  if (count === 0) {
    return (
      <Section title={home.needs}>
        <p className="flex items-center gap-2 text-soft">
          <CircleCheck aria-hidden className="size-4 text-good" />
          {home.allWell}
        </p>
      </Section>
    );
  }
  const shown = all ? posts : posts.slice(0, FEW);
  const more =
    shown.length < posts.length ? (
      <Button size="small" kind="ghost" onClick={() => setAll(true)}>
        {home.showAll(posts.length)}
      </Button>
    ) : null;
  return (
    <Section title={home.needs} actions={more}>
      <Rows label={home.needs}>
        {accounts.map((platform) => (
          <li
            key={platform.id}
            className="relative flex min-h-14 items-center gap-3 px-4 py-2.5 transition-colors hover:bg-hover"
          >
            <Initials name={nameOf(platform)} />
            <div className="min-w-0 flex-1">
              <Link
                to="/accounts/$id"
                params={{ id: platform.id }}
                className="block truncate font-medium before:absolute before:inset-0"
              >
                {home.reconnect(nameOf(platform))}
              </Link>
              <p className="truncate text-soft">{home.reconnectText}</p>
            </div>
            <AccountBadge platform={platform} />
          </li>
        ))}
        {shown.map((post) => (
          <PostRow key={post.id} withReason post={post} account={accountName(post.integrationId)} />
        ))}
      </Rows>
    </Section>
  );
}
