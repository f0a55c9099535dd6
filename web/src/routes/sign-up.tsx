import { createFileRoute } from "@tanstack/react-router";
import { SignUp } from "@/features/auth/sign-up";

export const Route = createFileRoute("/sign-up")({
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } => (typeof next === "string" ? { next } : {}),
  component: () => <SignUp next={Route.useSearch().next} />,
});
