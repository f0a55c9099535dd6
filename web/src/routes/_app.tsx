import { createFileRoute } from "@tanstack/react-router";
import { signedInOnly } from "@/features/auth/guard";
import { Unknown } from "@/features/shell/broken";
import { Shell } from "@/features/shell/shell";

/** The pages for those who are signed in; everybody else signs in first and comes back. */
export const Route = createFileRoute("/_app")({
  beforeLoad: ({ context, location }) => signedInOnly(context.queries, location.href),
  component: Shell,
  errorComponent: Unknown,
});
