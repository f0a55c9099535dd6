/** The signed-in user and their sessions. */
import { queryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../client";
import { startInBrowserZone } from "./workspace";

/** The signed-in user and their workspaces. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: () => answer(client.GET("/app/v1/me")),
  retry: false,
  staleTime: 60_000,
});

/** `getMe`. */
export const useMe = () => useQuery(meQuery);

/** `signIn`. */
export const useSignIn = () =>
  useMutation({ mutationFn: (body: Schemas["SignIn"]) => answer(client.POST("/app/v1/auth/sign-in", { body })) });

/** `getSignUpConditions`. */
export const useSignUpConditions = () =>
  useQuery({
    queryKey: ["sign-up"],
    queryFn: () => answer(client.GET("/app/v1/auth/sign-up")),
    retry: false,
    staleTime: 60_000,
  });

/** `signUp`. A workspace that the user is invited to keeps its time zone. */
export const useSignUp = () =>
  useMutation({
    mutationFn: async (body: Schemas["SignUp"]) => {
      const session = await answer(client.POST("/app/v1/auth/sign-up", { body }));
      const own = body.invitation ? [] : session.organizations;
      for (const { id } of own) await startInBrowserZone(id);
      return session;
    },
  });

/** `signOut`, here or everywhere. */
export const useSignOut = () =>
  useMutation({
    mutationFn: (everywhere: boolean) =>
      answer(client.POST("/app/v1/auth/sign-out", { params: { query: { everywhere } } })),
  });

/** `forgotPassword`. */
export const useForgotPassword = () =>
  useMutation({
    mutationFn: (body: Schemas["ForgotPassword"]) => answer(client.POST("/app/v1/auth/password/forgot", { body })),
  });

/** `resetPassword`. */
export const useResetPassword = () =>
  useMutation({
    mutationFn: (body: Schemas["ResetPassword"]) => answer(client.POST("/app/v1/auth/password/reset", { body })),
  });

/** `listSessions`. A new password removes them from the cache, with the rest of the user's data. */
export const useSessions = () =>
  useQuery({ queryKey: ["me", "sessions"], queryFn: () => answer(client.GET("/app/v1/me/sessions")) });

/** `listActivity`, page after page; the first page is short. */
export const useActivity = () =>
  useInfiniteQuery({
    queryKey: ["me", "activity"],
    queryFn: ({ pageParam }) => {
      const query = pageParam ? { limit: 50, cursor: pageParam } : { limit: 10 };
      return answer(client.GET("/app/v1/me/activity", { params: { query } }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });

/** `endSession`. One that had ended already is removed from the list as well. */
export function useEndSession() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => answer(client.DELETE("/app/v1/me/sessions/{id}", { params: { path: { id } } })),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ["me", "activity"] });
      return queries.invalidateQueries({ queryKey: ["me", "sessions"] });
    },
  });
}

/** `endOtherSessions`. */
export function useEndOtherSessions() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answer(client.DELETE("/app/v1/me/sessions")),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ["me", "activity"] });
      return queries.invalidateQueries({ queryKey: ["me", "sessions"] });
    },
  });
}

/** `updateMe`. */
export function useUpdateMe() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["UpdateMe"]) => answer(client.PATCH("/app/v1/me", { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["me"] }),
  });
}

/** `sendVerification`: resends the link that verifies an address. */
export const useSendVerification = () =>
  useMutation({ mutationFn: () => answer(client.POST("/app/v1/me/verification")) });

/** `setUpSecondFactor`: no code is required before it is confirmed. */
export const useSetUpFactor = () =>
  useMutation({
    mutationFn: (body: Schemas["SetUpSecondFactor"]) => answer(client.POST("/app/v1/me/second-factor", { body })),
  });

/** `confirmSecondFactor`: from then on signing in needs a code. */
export function useConfirmFactor() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["ConfirmSecondFactor"]) =>
      answer(client.POST("/app/v1/me/second-factor/confirm", { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["me"] }),
  });
}

/** `renewRecoveryCodes`: the old ones become invalid. */
export function useRenewCodes() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["BothFactors"]) =>
      answer(client.POST("/app/v1/me/second-factor/recovery-codes", { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["me"] }),
  });
}

/** `deleteSecondFactor`. */
export function useEndFactor() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["BothFactors"]) => answer(client.DELETE("/app/v1/me/second-factor", { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["me"] }),
  });
}
