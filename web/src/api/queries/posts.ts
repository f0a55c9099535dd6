/** Posts, their attempts, and their operations. */
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { inBatches } from "../batches";
import { readHasPosts, readMedia, readPost, readWaiting } from "../bundle";
import { ApiError, answer, client, currentWorkspace, here, type Schemas } from "../client";
import { usePollInterval } from "../live";
import { fetchPost } from "./compose";

/** The state of a post. */
export type PostState = Schemas["Post"]["state"];

/** The filter of a post list. */
export interface PostFilter {
  state?: PostState[];
  platformId?: string;
  q?: string;
  startDate?: string;
  endDate?: string;
}

const PAGE = 50;
const LARGEST_PAGE = 1000;

function fetchPosts(filter: PostFilter, cursor: string | undefined, limit: number) {
  const query = { ...filter, limit, ...(cursor ? { cursor } : {}) };
  return answer(client.GET("/app/v1/posts", { params: { header: here(), query } }));
}

/** `listPosts`, page after page. */
export function usePostPages(filter: PostFilter) {
  const refetchInterval = usePollInterval();
  return useInfiniteQuery({
    queryKey: [currentWorkspace(), "posts", "pages", filter],
    queryFn: ({ pageParam }) => fetchPosts(filter, pageParam, PAGE),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval,
  });
}

/** `listPosts`, the first few. */
export function usePosts(filter: PostFilter, limit: number, enabled = true) {
  const refetchInterval = usePollInterval();
  return useQuery({
    queryKey: [currentWorkspace(), "posts", "few", filter, limit],
    queryFn: () => fetchPosts(filter, undefined, limit),
    placeholderData: keepPreviousData,
    refetchInterval,
    enabled,
  });
}

/** The first posts that require action. */
export function useWaitingPosts() {
  const refetchInterval = usePollInterval();
  return useQuery({
    queryKey: [currentWorkspace(), "posts", "waiting"],
    queryFn: readWaiting,
    placeholderData: keepPreviousData,
    refetchInterval,
  });
}

/** Whether the workspace has any post. */
export const useHasPosts = () =>
  useQuery({
    queryKey: [currentWorkspace(), "posts", "any"],
    queryFn: readHasPosts,
    placeholderData: keepPreviousData,
  });

/** Every post of a filter, for an export: follows the cursor to its end. */
export async function fetchAllPosts(filter: PostFilter): Promise<Schemas["Post"][]> {
  const posts: Schemas["Post"][] = [];
  let cursor: string | undefined;
  do {
    const page = await fetchPosts(filter, cursor, LARGEST_PAGE);
    posts.push(...page.posts);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return posts;
}

/** `getPost`. */
export function usePost(id: string) {
  const refetchInterval = usePollInterval();
  return useQuery({
    queryKey: [currentWorkspace(), "posts", id],
    queryFn: () => readPost(id),
    refetchInterval,
  });
}

/** `listAttempts`. */
export function useAttempts(id: string) {
  const refetchInterval = usePollInterval();
  return useQuery({
    queryKey: [currentWorkspace(), "posts", id, "attempts"],
    queryFn: () => answer(client.GET("/app/v1/posts/{id}/attempts", { params: { header: here(), path: { id } } })),
    refetchInterval,
  });
}

/** The result for each post of a batch. */
export type RescheduleResult = Schemas["RescheduleResults"]["results"][number];
/** The result for each item of a batch. */
export type DeleteResult = Schemas["DeleteResults"]["results"][number];

function usePostChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: [currentWorkspace(), "posts"] });
      void queries.invalidateQueries({ queryKey: [currentWorkspace(), "usage"] });
    },
  });
}

/** A post and its new time. */
export interface NewTime {
  id: string;
  scheduledFor: string;
}

/** `schedulePost`, with the rule of `publishPost`. */
export const useSchedulePost = () =>
  usePostChange(async ({ post, scheduledFor }: { post: Schemas["Post"]; scheduledFor: string }) => {
    const header = { ...here(), ...(await versionOf(post)) };
    const params = { header, path: { id: post.id } };
    return answer(client.PATCH("/app/v1/posts/{id}/schedule", { params, body: { scheduledFor } }));
  });

/** `reschedulePosts`: queued posts get their new times, others stay unchanged. */
export const useReschedulePosts = () =>
  usePostChange((posts: readonly NewTime[]) =>
    inBatches(posts, async (some) => {
      const body = { posts: some };
      const call = client.POST("/app/v1/posts/reschedule", { params: { header: here() }, body });
      return (await answer(call)).results;
    }),
  );

/** `deletePosts`. */
export const useDeletePosts = () =>
  usePostChange((ids: readonly string[]) =>
    inBatches(ids, async (some) => {
      const call = client.POST("/app/v1/posts/delete", { params: { header: here() }, body: { ids: some } });
      return (await answer(call)).results;
    }),
  );

/** `publishPost`, with an idempotency key for retries. A post in ACTION_REQUIRED is sent again only as it was shown: see [`versionOf`]. */
export const usePublishPost = () =>
  usePostChange(async ({ post, once }: { post: Schemas["Post"]; once: string }) => {
    const header = { ...here(), "Idempotency-Key": once, ...(await versionOf(post)) };
    return answer(client.POST("/app/v1/posts/{id}/publish", { params: { header, path: { id: post.id } } }));
  });

/**
 * The version of a post in ACTION_REQUIRED, whose person has read what it asks. Fails with `precondition_failed` if it asks something
 * else by now. In another state it may be so by this very request, whose response was lost: then the idempotency key finds its response.
 */
async function versionOf(shown: Schemas["Post"]): Promise<{ "If-Match"?: string }> {
  if (shown.state !== "ACTION_REQUIRED") return {};
  const { body, version } = await fetchPost(shown.id);
  const { state, updatedAt } = body.root;
  if (state === shown.state && updatedAt !== shown.updatedAt)
    throw new ApiError(412, "precondition_failed", "", null, null);
  return version !== null && updatedAt === shown.updatedAt ? { "If-Match": version } : {};
}

/** `unschedulePost`. */
export const useUnschedulePost = () =>
  usePostChange(({ id, once }: { id: string; once: string }) =>
    answer(
      client.POST("/app/v1/posts/{id}/unschedule", {
        params: { header: { ...here(), "Idempotency-Key": once }, path: { id } },
      }),
    ),
  );

/** `markPostPublished`. */
export const useMarkPublished = () =>
  usePostChange(({ id, releaseUrl }: { id: string; releaseUrl: string | null }) =>
    answer(
      client.POST("/app/v1/posts/{id}/mark-published", {
        params: { header: here(), path: { id } },
        body: releaseUrl ? { releaseUrl } : {},
      }),
    ),
  );

/** `deletePost`. */
export const useDeletePost = () =>
  usePostChange((id: string) =>
    answer(client.DELETE("/app/v1/posts/{id}", { params: { header: here(), path: { id } } })),
  );

/** `getMedia`. */
export function useMedia(id: string) {
  return useQuery({
    queryKey: [currentWorkspace(), "media", id],
    queryFn: () => readMedia(id),
    staleTime: 300_000,
  });
}
