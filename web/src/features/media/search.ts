/** What the address says of the library. */
import type { MediaFilter } from "@/api/queries/media";

/** Which files are shown, and which of them is looked at. */
export interface MediaSearch {
  /** A folder's ID, or `none` for what is in no folder. */
  folder?: string;
  kind?: "image" | "video";
  file?: string;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads the address; what names nothing is left out. */
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

/** The folder that is shown, where new files go; null is the root. */
export const folderOf = ({ folder }: MediaSearch): string | null => (folder && folder !== "none" ? folder : null);

/** What tiles are known by while they are dragged. */
export const DRAGGED = "application/x-playout-media";
