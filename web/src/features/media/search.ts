/** The library's part of the address. */
import type { MediaFilter } from "@/api/queries/media";

/** The filter, and the opened file. */
export interface MediaSearch {
  /** A folder's ID, or `none` for files in no folder. */
  folder?: string;
  kind?: "image" | "video";
  file?: string;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Parses the address; invalid values are left out. */
export function readSearch({ folder, kind, file }: Record<string, unknown>): MediaSearch {
  return {
    ...(folder === "none" || isId(folder) ? { folder } : {}),
    ...(kind === "image" || kind === "video" ? { kind } : {}),
    ...(isId(file) ? { file } : {}),
  };
}

const isId = (value: unknown): value is string => typeof value === "string" && ID.test(value);

/** The filter of the API. */
export const toFilter = ({ folder, kind }: MediaSearch): MediaFilter => ({
  ...(folder ? { folderId: folder === "none" ? "null" : folder } : {}),
  ...(kind ? { mediaType: kind } : {}),
});

/** The shown folder, to which uploads go; null is the root. */
export const folderOf = ({ folder }: MediaSearch): string | null => (folder && folder !== "none" ? folder : null);

/** The MIME type of dragged tiles. */
export const DRAGGED = "application/x-playout-media";
