/** The composer's operations: drafts, schemas of accounts, validation, and media to choose from. */
import {
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useQueries,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback } from "react";
import { readAsked, readMedia, readPost, readSchema } from "../bundle";
import { ApiError, answer, client, currentWorkspace, here, type Schemas, versioned } from "../client";

/** `createPost`, with an idempotency key for retries. */
export const createPosts = (body: Schemas["CreatePost"], once: string) =>
  answer(client.POST("/app/v1/posts", { params: { header: { ...here(), "Idempotency-Key": once } }, body }));

/** `getPost` with its version, bypassing the cache. */
export const fetchPost = (id: string) =>
  versioned(client.GET("/app/v1/posts/{id}", { params: { header: here(), path: { id } }, cache: "no-store" }));

/** The current post; a read of the last two seconds is reused. */
export const currentPost = (id: string) => ({
  queryKey: [currentWorkspace(), "posts", id],
  queryFn: () => readPost(id),
  staleTime: 2_000,
});

/** `updatePost`, if the post still has that version. */
export const updatePost = (id: string, body: Schemas["UpdatePost"], version: string | null) => {
  const header = { ...here(), ...(version === null ? {} : { "If-Match": version }) };
  return answer(client.PATCH("/app/v1/posts/{id}", { params: { header, path: { id } }, body }));
};

/** `deletePost`. */
export const removePost = (id: string) =>
  answer(client.DELETE("/app/v1/posts/{id}", { params: { header: here(), path: { id } } }));

/** `publishPost`. */
export const publishPost = (id: string, once: string) =>
  answer(
    client.POST("/app/v1/posts/{id}/publish", {
      params: { header: { ...here(), "Idempotency-Key": once }, path: { id } },
    }),
  );

/** `schedulePost`. */
export const schedulePost = (id: string, scheduledFor: string) =>
  answer(
    client.PATCH("/app/v1/posts/{id}/schedule", { params: { header: here(), path: { id } }, body: { scheduledFor } }),
  );

/** Invalidates lists of posts and the plan's usage. */
export function usePostsChanged(): () => void {
  const queries = useQueryClient();
  return () => {
    void queries.invalidateQueries({ queryKey: [currentWorkspace(), "posts"] });
    void queries.invalidateQueries({ queryKey: [currentWorkspace(), "usage"] });
  };
}

/** `validatePost` for several bodies; one that is rejected as a whole returns its error. */
export function useValidation(bodies: readonly Schemas["CreatePost"][], enabled: boolean) {
  return useQuery({
    queryKey: [currentWorkspace(), "validation", bodies],
    queryFn: ({ signal }) =>
      Promise.all(
        bodies.map((body) =>
          answer(client.POST("/app/v1/posts/validate", { params: { header: here() }, body, signal })).then(
            ({ results }) => ({ body, results, error: null }),
            (error: unknown) => ({ body, results: [], error }),
          ),
        ),
      ),
    enabled: enabled && bodies.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    gcTime: 60_000,
  });
}

type Found<T> = readonly { data: T | undefined }[];

const bySchema = (answers: Found<Schemas["PlatformWithSchema"]>): ReadonlyMap<string, Schemas["PlatformSchema"]> =>
  new Map(answers.flatMap(({ data }) => (data ? [[data.platform.id, data.schema]] : [])));

/** `getPlatformSchema` of several accounts, by ID; those that have loaded. */
export const useSchemas = (ids: readonly string[]) =>
  useQueries({
    queries: ids.map((id) => ({
      queryKey: [currentWorkspace(), "platforms", id, "schema"],
      queryFn: () => readSchema(id),
      retry: false,
    })),
    combine: bySchema,
  });

const byPlatform = (answers: Found<Schemas["PlatformHealth"]>): ReadonlyMap<string, Schemas["PlatformHealth"]> =>
  new Map(answers.flatMap(({ data }) => (data ? [[data.platformId, data]] : [])));

/** Stores a new response about an account in the cache, replacing what was read before. */
async function know(queries: QueryClient, account: Schemas["PlatformWithSchema"]): Promise<void> {
  const { id } = account.platform;
  const all = [currentWorkspace(), "platforms"];
  // A response in flight may be older.
  await queries.cancelQueries({ queryKey: [...all, id, "schema"], exact: true });
  queries.setQueryData([...all, id, "schema"], account);
  queries.setQueryData<Schemas["PlatformList"]>(all, (known) => {
    if (!known) return known;
    return { platforms: known.platforms.map((one) => (one.id === id ? account.platform : one)) };
  });
}

/** `getPlatformHealth` of several accounts, by ID, with a refresh at their providers; the results are put in the cache. */
export function useAsked(ids: readonly string[]) {
  const queries = useQueryClient();
  const ask = async (id: string) => {
    const { health, account } = await readAsked(id);
    if (health.refresh?.answered && account) await know(queries, account);
    return health;
  };
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: [currentWorkspace(), "asked", id],
      queryFn: () => ask(id),
      retry: false,
      staleTime: 60_000,
    })),
    combine: byPlatform,
  });
}

type Answers = readonly { data: Schemas["Media"] | undefined; error: Error | null }[];

/** `getMedia` of several files, by ID; null for a deleted one. */
export function useMediaMany(ids: readonly string[]): ReadonlyMap<string, Schemas["Media"] | null> {
  const names = ids.join(" ");
  const combine = useCallback(
    (answers: Answers) => {
      const known = names.split(" ").flatMap((id, index): [string, Schemas["Media"] | null][] => {
        const { data, error } = answers[index] ?? {};
        const isGone = error instanceof ApiError && error.status === 404;
        return data ? [[id, data]] : isGone ? [[id, null]] : [];
      });
      return new Map(known);
    },
    [names],
  );
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: [currentWorkspace(), "media", id],
      queryFn: () => readMedia(id),
      staleTime: 300_000,
    })),
    combine,
  });
}

const PAGE = 60;

/** `listMedia`, newest first, page after page. */
export function useLibrary(mediaType: "image" | "video" | undefined, enabled: boolean) {
  return useInfiniteQuery({
    queryKey: [currentWorkspace(), "media", "pages", "compose", mediaType ?? "all"],
    queryFn: ({ pageParam }) => {
      const query = { limit: PAGE, ...(mediaType ? { mediaType } : {}), ...(pageParam ? { cursor: pageParam } : {}) };
      return answer(client.GET("/app/v1/media", { params: { header: here(), query } }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    enabled,
  });
}

const roots = (answers: Found<Schemas["PostGroup"]>) => answers.flatMap(({ data }) => (data ? [data.root] : []));

/** `getPost` of several posts; those that have loaded. */
export function useOpenPosts(ids: readonly string[]): readonly Schemas["Post"][] {
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: [currentWorkspace(), "posts", id],
      queryFn: () => readPost(id),
      retry: false,
      refetchOnWindowFocus: "always" as const,
    })),
    combine: roots,
  });
}
