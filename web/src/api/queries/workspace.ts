/** The workspace: its members, invitations, keys, usage and audit trail. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { browserZone } from "@/lib/time";
import { readUsage } from "../bundle";
import { answer, client, currentWorkspace, here, type Schemas } from "../client";
import { usePollInterval } from "../live";

/** A member's role. */
export type Role = Schemas["Organization"]["role"];

const inside = () => ({ path: { organizationId: currentWorkspace() } });
const insideOf = (id: string) => ({ path: { organizationId: currentWorkspace(), id } });

function useChange<Input, Output>(change: (input: Input) => Promise<Output>, ...stale: string[]) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      for (const noun of [...stale, "audit"]) {
        void queries.invalidateQueries({ queryKey: noun === "me" ? ["me"] : [currentWorkspace(), noun] });
      }
    },
  });
}

/** `getUsage`. */
export function useUsage() {
  const refetchInterval = usePollInterval();
  return useQuery({
    queryKey: [currentWorkspace(), "usage"],
    queryFn: readUsage,
    refetchInterval,
  });
}

/** `listKeys`. */
export const useKeys = () =>
  useQuery({
    queryKey: [currentWorkspace(), "keys"],
    queryFn: () => answer(client.GET("/app/v1/keys", { params: { header: here() } })),
  });

/** `createKey`. */
export const useCreateKey = () =>
  useChange(
    (body: Schemas["CreateKey"]) => answer(client.POST("/app/v1/keys", { params: { header: here() }, body })),
    "keys",
  );

/** `revokeKey`. */
export const useRevokeKey = () =>
  useChange(
    (id: string) => answer(client.DELETE("/app/v1/keys/{id}", { params: { header: here(), path: { id } } })),
    "keys",
  );

/** `revokeAllKeys`. */
export const useRevokeAllKeys = () =>
  useChange(() => answer(client.DELETE("/app/v1/keys", { params: { header: here() } })), "keys");

/** `listMembers`. */
export const useMembers = () =>
  useQuery({
    queryKey: [currentWorkspace(), "members"],
    queryFn: () => answer(client.GET("/app/v1/organizations/{organizationId}/members", { params: inside() })),
  });

/**
 * `getHoldings`: what a member loses with their role. Never cached, and not read with the members: after the removal that it
 * is read for it no longer exists.
 */
export const useHoldings = (id: string) =>
  useQuery({
    queryKey: [currentWorkspace(), "holdings", id],
    queryFn: () =>
      answer(client.GET("/app/v1/organizations/{organizationId}/members/{id}/holdings", { params: insideOf(id) })),
    gcTime: 0,
  });

/** `updateMember`. A lower role may end keys. */
export const useUpdateMember = () =>
  useChange(
    ({ id, role }: { id: string; role: Role }) =>
      answer(
        client.PATCH("/app/v1/organizations/{organizationId}/members/{id}", { params: insideOf(id), body: { role } }),
      ),
    "members",
    "keys",
  );

/** `removeMember`. */
export const useRemoveMember = () =>
  useChange(
    (id: string) =>
      answer(client.DELETE("/app/v1/organizations/{organizationId}/members/{id}", { params: insideOf(id) })),
    "members",
    "keys",
  );

/** `listInvitations`. */
export const useInvitations = (enabled: boolean) =>
  useQuery({
    queryKey: [currentWorkspace(), "invitations"],
    queryFn: () => answer(client.GET("/app/v1/organizations/{organizationId}/invitations", { params: inside() })),
    enabled,
  });

/** `createInvitation`. */
export const useInvite = () =>
  useChange(
    (body: Schemas["Invite"]) =>
      answer(client.POST("/app/v1/organizations/{organizationId}/invitations", { params: inside(), body })),
    "invitations",
  );

/** `revokeInvitation`. */
export const useRevokeInvitation = () =>
  useChange(
    (id: string) =>
      answer(client.DELETE("/app/v1/organizations/{organizationId}/invitations/{id}", { params: insideOf(id) })),
    "invitations",
  );

/** `createOrganization`. */
export const useCreateWorkspace = () =>
  useChange(async (name: string) => {
    const workspace = await answer(client.POST("/app/v1/organizations", { body: { name } }));
    await startInBrowserZone(workspace.id);
    return workspace;
  }, "me");

/** Sets a new workspace's time zone to that of its creator. If the service does not know the zone, it stays UTC. */
export async function startInBrowserZone(organizationId: string): Promise<void> {
  const change = { params: { path: { organizationId } }, body: { timeZone: browserZone() } };
  await client.PATCH("/app/v1/organizations/{organizationId}", change).catch(() => undefined);
}

/** `updateOrganization`. */
export const useUpdateWorkspace = () =>
  useChange(
    (body: Schemas["UpdateOrganization"]) =>
      answer(client.PATCH("/app/v1/organizations/{organizationId}", { params: inside(), body })),
    "me",
  );

/** `deleteOrganization`. */
export const useDeleteWorkspace = () =>
  useMutation({
    mutationFn: (body: Schemas["DeleteOrganization"]) =>
      answer(client.DELETE("/app/v1/organizations/{organizationId}", { params: inside(), body })),
  });

/** `leaveOrganization`. */
export const useLeaveWorkspace = () =>
  useMutation({
    mutationFn: () => answer(client.POST("/app/v1/organizations/{organizationId}/leave", { params: inside() })),
  });

/** `listAudit`, page after page. */
export const useAudit = () =>
  useInfiniteQuery({
    queryKey: [currentWorkspace(), "audit"],
    queryFn: ({ pageParam }) => {
      const query = { limit: 50, ...(pageParam ? { cursor: pageParam } : {}) };
      return answer(client.GET("/app/v1/audit", { params: { header: here(), query } }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
