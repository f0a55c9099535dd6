import { createFileRoute } from "@tanstack/react-router";
import { signedInOnly } from "@/features/auth/guard";
import { Device } from "@/features/device/device";
import { Unknown } from "@/features/shell/broken";

export const Route = createFileRoute("/device")({
  validateSearch: ({ user_code }: Record<string, unknown>): { user_code?: string } =>
    typeof user_code === "string" ? { user_code } : {},
  beforeLoad: ({ context, location }) => signedInOnly(context.queries, location.href),
  component: () => <Device code={Route.useSearch().user_code ?? ""} />,
  errorComponent: Unknown,
});
