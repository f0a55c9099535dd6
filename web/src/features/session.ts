/** Who is signed in, in which workspace, and what they may do there. */
import { useQueryClient } from "@tanstack/react-query";
import { chooseWorkspace, currentWorkspace, type Schemas } from "@/api/client";
import { useMe, useSignOut } from "@/api/queries/session";
import type { Role } from "@/api/queries/workspace";
import { showIn } from "@/lib/time";
import { tellFailure } from "./problem";

const RANKS: Record<Role, number> = { member: 0, admin: 1, owner: 2 };

/** The workspace that was chosen, or the first there is; from then on times are those of its zone. */
export function choose(me: Schemas["Me"]): Schemas["Organization"] | undefined {
  const chosen = me.organizations.find(({ id }) => id === currentWorkspace()) ?? me.organizations[0];
  if (chosen && chosen.id !== currentWorkspace()) chooseWorkspace(chosen.id);
  if (chosen) showIn(chosen.timeZone);
  return chosen;
}

/** The person and their workspace; the pages inside are shown only when both are known. */
export function useSession() {
  const me = useMe().data;
  const workspace = me && choose(me);
  const may = (role: Role) => RANKS[workspace?.role ?? "member"] >= RANKS[role];
  return { me, workspace, may };
}

/** Goes to another workspace: everything is fetched anew. */
export function useSwitchWorkspace() {
  const queries = useQueryClient();
  return (id: string) => {
    chooseWorkspace(id);
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "me" });
    void queries.invalidateQueries({ queryKey: ["me"] });
  };
}

/** Signs out, and begins anew. */
export function useLeave() {
  const signOut = useSignOut();
  return (everywhere: boolean) =>
    signOut.mutate(everywhere, { onSuccess: () => location.assign("/sign-in"), onError: tellFailure });
}
