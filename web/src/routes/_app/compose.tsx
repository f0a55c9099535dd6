import { createFileRoute, redirect } from "@tanstack/react-router";
import { Compose } from "@/features/compose/compose";
import { readComposeSearch, withDraft } from "@/features/compose/search";

export const Route = createFileRoute("/_app/compose")({
  validateSearch: readComposeSearch,
  beforeLoad: ({ search }) => {
    if (!search.draft) throw redirect({ to: "/compose", search: withDraft(search), replace: true });
  },
  component: () => {
    const search = Route.useSearch();
    return <Compose key={search.draft} search={search} />;
  },
});
