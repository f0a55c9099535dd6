import { Link, useNavigate } from "@tanstack/react-router";
import { ArrowLeft, Ellipsis, Unplug } from "lucide-react";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { useDeletePlatform, usePlatforms, useUpdatePlatform } from "@/api/queries/platforms";
import { accountWords } from "@/strings/accounts";
import { problems } from "@/strings/shell";
import { ui } from "@/strings/ui";
import { Button, IconButton } from "@/ui/button";
import { Confirm } from "@/ui/dialog";
import { Menu, MenuItem } from "@/ui/menu";
import { ErrorState, Page } from "@/ui/page";
import { toast } from "@/ui/toasts";
import { Loaded, tellFailure } from "../problem";
import { useSession } from "../session";
import { useConnect } from "./connect";
import { Defaults } from "./defaults";
import { Health } from "./health";
import { nameOf } from "./names";
import { AccountBadge, standing } from "./standing";

const back = (
  <Link to="/accounts" className="inline-flex items-center gap-1.5 rounded text-soft hover:text-ink">
    <ArrowLeft aria-hidden className="size-4" />
    {accountWords.back}
  </Link>
);

/** One account: its health, the provider's limits, its defaults. */
export function AccountDetail({ id }: { id: string }) {
  const platforms = usePlatforms();
  const platform = platforms.data?.platforms.find((platform) => platform.id === id);
  const { may } = useSession();
  return (
    <Page
      back={back}
      title={platform ? nameOf(platform) : accountWords.title}
      actions={platform && may("admin") && <Actions platform={platform} />}
    >
      <Loaded query={platforms}>
        {() => (platform ? <Shown platform={platform} /> : <ErrorState {...problems.not_found} requestId={null} />)}
      </Loaded>
    </Page>
  );
}

function Shown({ platform }: { platform: Schemas["Platform"] }) {
  return (
    <>
      <p className="mb-8 flex flex-wrap items-center gap-3">
        <AccountBadge platform={platform} />
        {platform.displayHandle && <span className="text-soft">@{platform.displayHandle}</span>}
        <span className="text-soft">{standing(platform)}</span>
      </p>
      <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[1fr_20rem]">
        <div className="min-w-0 lg:order-last">
          <Health id={platform.id} />
        </div>
        <div className="min-w-0">
          <Defaults key={JSON.stringify(platform.settings)} platform={platform} />
        </div>
      </div>
    </>
  );
}

function Actions({ platform }: { platform: Schemas["Platform"] }) {
  const [asks, setAsks] = useState(false);
  const { connect, start } = useConnect();
  const update = useUpdatePlatform();
  const remove = useDeletePlatform();
  const navigate = useNavigate();
  const name = nameOf(platform);
  const turn = (disabled: boolean, undo?: () => void) =>
    update.mutate(
      { id: platform.id, disabled },
      {
        onSuccess: () => toast(disabled ? accountWords.switchedOff(name) : accountWords.switchedOn(name), undo),
        onError: tellFailure,
      },
    );
  const disconnect = () =>
    remove.mutate(platform.id, {
      onSuccess: () => {
        toast(accountWords.disconnected(name));
        void navigate({ to: "/accounts" });
      },
      onError: (error) => {
        setAsks(false);
        tellFailure(error);
      },
    });
  return (
    <>
      <Button busy={update.isPending} onClick={() => turn(!platform.disabled, () => turn(platform.disabled))}>
        {platform.disabled ? accountWords.enable : accountWords.disable}
      </Button>
      {platform.refreshNeeded && (
        <Button kind="primary" busy={connect.isPending} onClick={() => start(platform.connection)}>
          {accountWords.reconnect}
        </Button>
      )}
      <Menu
        trigger={
          <IconButton label={ui.more} className="size-9">
            <Ellipsis aria-hidden className="size-4" />
          </IconButton>
        }
      >
        <MenuItem danger icon={<Unplug aria-hidden />} onSelect={() => setAsks(true)}>
          {accountWords.disconnect}
        </MenuItem>
      </Menu>
      <Confirm
        open={asks}
        onClose={() => setAsks(false)}
        title={accountWords.disconnectTitle(name)}
        action={accountWords.disconnect}
        busy={remove.isPending}
        onConfirm={disconnect}
      >
        <p>{accountWords.disconnectText}</p>
      </Confirm>
    </>
  );
}
