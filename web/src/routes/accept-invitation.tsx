import { createFileRoute } from "@tanstack/react-router";
import { AcceptInvitation } from "@/features/invitation/invitation";

export const Route = createFileRoute("/accept-invitation")({
  validateSearch: ({ token }: Record<string, unknown>): { token: string } => ({
    token: typeof token === "string" ? token : "",
  }),
  component: () => <AcceptInvitation token={Route.useSearch().token} />,
});
