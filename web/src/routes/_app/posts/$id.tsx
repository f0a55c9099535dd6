import { createFileRoute } from "@tanstack/react-router";
import { PostDetail } from "@/features/posts/detail";

export const Route = createFileRoute("/_app/posts/$id")({ component: () => <PostDetail id={Route.useParams().id} /> });
