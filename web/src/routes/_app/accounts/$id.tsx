import { createFileRoute } from "@tanstack/react-router";
import { AccountDetail } from "@/features/accounts/detail";

export const Route = createFileRoute("/_app/accounts/$id")({
  component: () => <AccountDetail id={Route.useParams().id} />,
});
