import { createFileRoute } from "@tanstack/react-router";
import { Reset } from "@/features/auth/password";

export const Route = createFileRoute("/reset-password")({
  validateSearch: ({ token }: Record<string, unknown>): { token: string } => ({
    token: token === undefined ? "" : String(token),
  }),
  component: () => <Reset token={Route.useSearch().token} />,
});
