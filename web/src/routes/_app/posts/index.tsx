import { createFileRoute, useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { type PostSearch, readSearch } from "@/features/posts/filter";
import { PostList } from "@/features/posts/list";

export const Route = createFileRoute("/_app/posts/")({ validateSearch: readSearch, component: Posts });

function Posts() {
  const navigate = useNavigate();
  const onSearch = useCallback(
    (search: PostSearch) => void navigate({ to: "/posts", search, replace: true }),
    [navigate],
  );
  return <PostList search={Route.useSearch()} onSearch={onSearch} />;
}
