import { createFileRoute, useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { Library } from "@/features/media/library";
import { type MediaSearch, readSearch } from "@/features/media/search";

export const Route = createFileRoute("/_app/media")({ validateSearch: readSearch, component: Media });

function Media() {
  const navigate = useNavigate();
  const onSearch = useCallback(
    (search: MediaSearch) => void navigate({ to: "/media", search, replace: true, resetScroll: false }),
    [navigate],
  );
  return <Library search={Route.useSearch()} onSearch={onSearch} />;
}
