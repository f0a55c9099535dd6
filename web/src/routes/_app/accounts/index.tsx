import { createFileRoute } from "@tanstack/react-router";
import { AccountList } from "@/features/accounts/list";
import { readConnectSearch } from "@/features/accounts/notice";

export const Route = createFileRoute("/_app/accounts/")({
  validateSearch: readConnectSearch,
  component: () => <AccountList search={Route.useSearch()} />,
});
