/** The signed-in user, their workspace, and their role in it. */
import { useQueryClient } from "@tanstack/react-query";
import { chooseWorkspace, currentWorkspace, type Schemas } from "@/api/client";
import { useMe, useSignOut } from "@/api/queries/session";
import type { Role } from "@/api/queries/workspace";
import { showIn } from "@/lib/time";
import { tellFailure } from "./problem";

const RANKS: Record<Role, number> = { member: 0, admin: 1, owner: 2 };

/** The chosen workspace, or the first; from then on times are in its zone. */
export function choose(me: Schemas["Me"]): Schemas["Organization"] | undefined {
  const chosen = me.organizations.find(({ id }) => id === currentWorkspace()) ?? me.organizations[0];
  if (chosen && chosen.id !== currentWorkspace()) chooseWorkspace(chosen.id);
  if (chosen) showIn(chosen.timeZone);
  return chosen;
}

/** The user and their workspace; the inner pages are rendered only when both are known. */
export function useSession() {
  const me = useMe().data;
  const workspace = me && choose(me);
  const may = (role: Role) => RANKS[workspace?.role ?? "member"] >= RANKS[role];
  return { me, workspace, may };
}

/** Switches to another workspace: everything is fetched again. */
export function useSwitchWorkspace() {
  const queries = useQueryClient();
  return (id: string) => {
    chooseWorkspace(id);
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "me" });
    void queries.invalidateQueries({ queryKey: ["me"] });
  };
}

/** Signs out, and loads the sign-in page. */
export function useLeave() {
  const signOut = useSignOut();
  return (everywhere: boolean) =>
    signOut.mutate(everywhere, { onSuccess: () => location.assign("/sign-in"), onError: tellFailure });
}
