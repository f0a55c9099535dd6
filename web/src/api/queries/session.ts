/** Who is signed in, and how they come and go. */
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../client";

/** Who is signed in, and the workspaces they belong to. */
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

/** `signUp`. */
export const useSignUp = () =>
  useMutation({ mutationFn: (body: Schemas["SignUp"]) => answer(client.POST("/app/v1/auth/sign-up", { body })) });

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

/** `updateMe`. */
export function useUpdateMe() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["UpdateMe"]) => answer(client.PATCH("/app/v1/me", { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["me"] }),
  });
}
