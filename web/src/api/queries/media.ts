/** The library: media, folders, and their operations. Uploads are in `transfer.ts`. */
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { inBatches } from "../batches";
import { answer, client, currentWorkspace, here, type Schemas } from "../client";
import { usePollInterval } from "../live";
import { fetchAllPosts } from "./posts";

/** The filter of a media list. */
export interface MediaFilter {
  /** A folder, or the word `null` for media without a folder; default: all. */
  folderId?: string;
  mediaType?: "image" | "video";
}

const PAGE = 60;
const DAY_MS = 86_400_000;

/** `listMedia`, page after page. */
export function useMediaPages(filter: MediaFilter) {
  const refetchInterval = usePollInterval();
  return useInfiniteQuery({
    queryKey: [currentWorkspace(), "media", "pages", filter],
    queryFn: ({ pageParam }) => {
      const query = { ...filter, limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) };
      return answer(client.GET("/app/v1/media", { params: { header: here(), query } }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval,
  });
}

/** `listFolders`. */
export function useFolders() {
  return useQuery({
    queryKey: [currentWorkspace(), "media", "folders"],
    queryFn: fetchFolders,
  });
}

/** `listFolders`, once. */
export const fetchFolders = () => answer(client.GET("/app/v1/media/folders", { params: { header: here() } }));

/** `createFolder`, once. */
export const createFolder = (name: string) =>
  answer(client.POST("/app/v1/media/folders", { params: { header: here() }, body: { name } }));

/** `getMedia`, once. */
export const fetchMedia = (id: string) =>
  answer(client.GET("/app/v1/media/{id}", { params: { header: here(), path: { id } } }));

/** `updateMedia`, once. */
export const updateMedia = ({ id, ...body }: { id: string } & Schemas["UpdateMedia"]) =>
  answer(client.PATCH("/app/v1/media/{id}", { params: { header: here(), path: { id } }, body }));

/** `deleteMediaMany`. */
export const deleteMediaMany = (ids: readonly string[]) =>
  inBatches(ids, async (some) => {
    const call = client.POST("/app/v1/media/delete", { params: { header: here() }, body: { ids: some } });
    return (await answer(call)).results;
  });

/** `deleteMedia`, once. */
export const deleteMedia = (id: string) =>
  answer(client.DELETE("/app/v1/media/{id}", { params: { header: here(), path: { id } } }));

function useMediaChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: [currentWorkspace(), "media"] });
      void queries.invalidateQueries({ queryKey: [currentWorkspace(), "usage"] });
    },
  });
}

/** `createFolder`. */
export const useCreateFolder = () => useMediaChange(createFolder);

/** `renameFolder`. */
export const useRenameFolder = () =>
  useMediaChange(({ id, name }: { id: string; name: string }) =>
    answer(client.PATCH("/app/v1/media/folders/{id}", { params: { header: here(), path: { id } }, body: { name } })),
  );

/** `deleteFolder`. */
export const useDeleteFolder = () =>
  useMediaChange((id: string) =>
    answer(client.DELETE("/app/v1/media/folders/{id}", { params: { header: here(), path: { id } } })),
  );

/** `updateMedia`. */
export const useUpdateMedia = () => useMediaChange(updateMedia);

/** `deleteMedia`. */
export const useDeleteMedia = () => useMediaChange(deleteMedia);

/** The posts that use a media object: only posts since its upload are searched, because the API has no such filter. */
export function useUses(media: Schemas["Media"]) {
  const startDate = new Date(Date.parse(media.createdAt) - DAY_MS).toISOString();
  return useQuery({
    queryKey: [currentWorkspace(), "posts", "since", startDate],
    queryFn: () => fetchAllPosts({ startDate }),
    select: (posts) => posts.filter(({ mediaIds }) => mediaIds.includes(media.id)),
    staleTime: 60_000,
  });
}
