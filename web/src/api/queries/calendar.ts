/** The posts of time ranges, and moves of posts, shown before the service confirms them. */
import { type QueryClient, useMutation, useQueries, useQueryClient } from "@tanstack/react-query";
import { paced } from "@/lib/pace";
import { answer, client, currentWorkspace, here, type Schemas } from "../client";
import { usePollInterval } from "../live";
import { fetchAllPosts } from "./posts";

type Post = Schemas["Post"];

/** A range of time, start inclusive, end exclusive, as in the API. */
export interface Range {
  start: string;
  end: string;
}

const FAMILY = "ranges";
/** The shortest time between two fetches of a range while many posts change, because users have a rate limit. */
const GAP_MS = 1_000;
const pace = paced(GAP_MS);

const rangeQuery = ({ start, end }: Range) => ({
  queryKey: [currentWorkspace(), "posts", FAMILY, start, end],
  queryFn: () => pace(`${currentWorkspace()} ${start} ${end}`, () => fetchAllPosts({ startDate: start, endDate: end })),
});

/** `listPosts`: every post of some ranges, fetched in parallel. */
export function usePostRanges(ranges: readonly Range[]) {
  const refetchInterval = usePollInterval();
  return useQueries({ queries: ranges.map((range) => ({ ...rangeQuery(range), refetchInterval })) });
}

/** Fetches the posts of ranges that are likely to be shown next. */
export function usePrefetchRanges(): (ranges: readonly Range[]) => void {
  const queries = useQueryClient();
  return (ranges) => {
    for (const range of ranges) void queries.prefetchQuery({ ...rangeQuery(range), staleTime: 30_000 });
  };
}

/** A post and its new time. */
export interface PostMove {
  post: Post;
  scheduledFor: string;
}

/** `schedulePost` in the calendar: an optimistic update, rolled back if the service rejects it. */
export function useMovePost() {
  const queries = useQueryClient();
  const key = () => [currentWorkspace(), "posts"];
  return useMutation({
    mutationFn: ({ post, scheduledFor }: PostMove) =>
      answer(
        client.PATCH("/app/v1/posts/{id}/schedule", {
          params: { header: here(), path: { id: post.id } },
          body: { scheduledFor },
        }),
      ),
    onMutate: async ({ post, scheduledFor }) => {
      await queries.cancelQueries({ queryKey: [...key(), FAMILY] });
      place(queries, { ...post, scheduledFor });
    },
    onError: (_, { post }) => {
      place(queries, post);
      void queries.invalidateQueries({ queryKey: key() });
    },
    onSuccess: ({ root }) => place(queries, root),
    onSettled: () => {
      // The cache has the move already: it is fetched again when it is next shown, not after each move.
      void queries.invalidateQueries({ queryKey: key(), refetchType: "none" });
      void queries.invalidateQueries({ queryKey: [currentWorkspace(), "usage"] });
    },
  });
}

/** The sort key of lists. */
export const momentOfPost = (post: Post): number => Date.parse(post.scheduledFor ?? post.createdAt);

/** Moves a post in the cache to the ranges of its time, and out of the others. */
export function place(queries: QueryClient, post: Post): void {
  const at = momentOfPost(post);
  const found = queries.getQueriesData<Post[]>({ queryKey: [currentWorkspace(), "posts", FAMILY] });
  for (const [key, posts] of found) {
    if (!posts) continue;
    const isIn = at >= Date.parse(String(key[3])) && at < Date.parse(String(key[4]));
    const rest = posts.filter(({ id }) => id !== post.id);
    if (!isIn && rest.length === posts.length) continue;
    const next = isIn ? [...rest, post].toSorted((a, b) => momentOfPost(a) - momentOfPost(b)) : rest;
    queries.setQueryData(key, next);
  }
}
