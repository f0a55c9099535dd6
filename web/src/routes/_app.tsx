import { createFileRoute } from "@tanstack/react-router";
import { signedInOnly } from "@/features/auth/guard";
import { Unknown } from "@/features/shell/broken";
import { Shell } from "@/features/shell/shell";

/** The pages that need a session; other visitors sign in first and return. */
export const Route = createFileRoute("/_app")({
  beforeLoad: ({ context, location }) => signedInOnly(context.queries, location.href),
  component: Shell,
  errorComponent: Unknown,
});
