import { useNavigate } from "@tanstack/react-router";
import { ChevronsUpDown, LogOut, Plus, UserRound } from "lucide-react";
import { useState } from "react";
import { shell } from "@/strings/shell";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from "@/ui/menu";
import { Initials } from "@/ui/parts";
import { chooseTheme, type Theme, useTheme } from "@/ui/theme";
import { Mark } from "../auth/frame";
import { useLeave, useSession, useSwitchWorkspace } from "../session";
import { NewWorkspaceDialog } from "./no-workspace";

/** The workspace, and the switch to another. */
export function WorkspaceMenu() {
  const { me, workspace } = useSession();
  const [creating, setCreating] = useState(false);
  const switchTo = useSwitchWorkspace();
  const name = workspace?.name ?? "Playout";
  const trigger = (
    <button
      type="button"
      aria-label={shell.switchWorkspace(name)}
      className="flex h-10 w-full min-w-0 items-center gap-2.5 rounded-lg px-2 text-left transition-colors hover:bg-hover"
    >
      <Mark />
      <span className="min-w-0 flex-1 truncate font-semibold">{name}</span>
      <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-soft" />
    </button>
  );
  return (
    <>
      <Menu trigger={trigger} align="start">
        <MenuLabel>{shell.workspaces}</MenuLabel>
        {me?.organizations.map(({ id, name }) => (
          <MenuChoice key={id} chosen={id === workspace?.id} onSelect={() => switchTo(id)}>
            {name}
          </MenuChoice>
        ))}
        <MenuLine />
        <MenuItem icon={<Plus aria-hidden />} onSelect={() => setCreating(true)}>
          {shell.newWorkspace}
        </MenuItem>
      </Menu>
      <NewWorkspaceDialog open={creating} onClose={() => setCreating(false)} />
    </>
  );
}

/** The signed-in user, the theme, and signing out. */
export function PersonMenu({ small = false }: { small?: boolean }) {
  const { me } = useSession();
  const navigate = useNavigate();
  const leave = useLeave();
  const theme = useTheme();
  const name = me?.user.name ?? me?.user.email ?? "";
  const trigger = (
    <button
      type="button"
      aria-label={`${shell.account}: ${name}`}
      className={`flex h-10 min-w-0 items-center gap-2.5 rounded-lg px-1.5 text-left transition-colors hover:bg-hover ${small ? "" : "w-full"}`}
    >
      <Initials name={name} />
      {!small && <span className="min-w-0 flex-1 truncate">{name}</span>}
    </button>
  );
  return (
    <Menu trigger={trigger} align={small ? "end" : "start"}>
      <MenuLabel>{me?.user.email}</MenuLabel>
      <MenuItem icon={<UserRound aria-hidden />} onSelect={() => void navigate({ to: "/settings/profile" })}>
        {shell.profile}
      </MenuItem>
      <MenuLine />
      <MenuLabel>{shell.theme}</MenuLabel>
      {(Object.keys(shell.themes) as Theme[]).map((option) => (
        <MenuChoice key={option} chosen={option === theme} onSelect={() => chooseTheme(option)}>
          {shell.themes[option]}
        </MenuChoice>
      ))}
      <MenuLine />
      <MenuItem icon={<LogOut aria-hidden />} onSelect={() => leave(false)}>
        {shell.signOut}
      </MenuItem>
    </Menu>
  );
}
