import { createFileRoute } from "@tanstack/react-router";
import { SignIn } from "@/features/auth/sign-in";

export const Route = createFileRoute("/sign-in")({
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } => (typeof next === "string" ? { next } : {}),
  component: () => <SignIn next={Route.useSearch().next} />,
});
