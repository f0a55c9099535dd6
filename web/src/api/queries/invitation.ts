/** An invitation, for the holders of its link. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../client";

/** The workspace, the role and the sender. */
export type InvitationTo = Schemas["InvitationTo"];

/** `readInvitation`. The token is sent in the body, because addresses end up in logs. */
export const useInvitation = (token: string) =>
  useQuery({
    queryKey: ["invitation", token],
    queryFn: () => answer(client.POST("/app/v1/invitations/read", { body: { token } })),
    enabled: token !== "",
    retry: false,
    staleTime: 60_000,
  });

/** `acceptInvitation`. */
export const useAcceptInvitation = () =>
  useMutation({
    mutationFn: (token: string) => answer(client.POST("/app/v1/invitations/accept", { body: { token } })),
  });
