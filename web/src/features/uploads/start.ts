/**
 * Turns files into uploads: folders are found or created, pictures converted, and other files are left out and listed with
 * the uploads.
 */
import type { Schemas } from "@/api/client";
import { createFolder, fetchFolders } from "@/api/queries/media";
import { fateOf } from "@/lib/uploads";
import { uploadWords } from "@/strings/media";
import { tellFailure } from "../problem";
import { toJpeg } from "./convert";
import type { Found } from "./files";
import { begunWith } from "./kept";
import { showLeftOut, upload } from "./store";

type Media = Schemas["Media"];

/** The accepted files: only pictures if `only` is set. */
interface Wish {
  folderId: string | null;
  only?: "image";
}

/** Uploads files; returns, for each upload, its media, or null if it fails. */
export async function startUploads(
  found: readonly Found[],
  { folderId, only }: Wish,
): Promise<Promise<Media | null>[]> {
  const wanted = found.filter(({ file }) => {
    const isVideo = file.type.startsWith("video/") || /\.(mp4|m4v|webm|mov)$/i.test(file.name);
    return fateOf(file) !== "leave" && !(only === "image" && isVideo);
  });
  const left = found.filter((one) => !wanted.includes(one) && !one.file.name.startsWith("."));
  const problem = only === "image" ? uploadWords.noPicture : uploadWords.noMedia;
  showLeftOut(left.map(({ file }) => ({ file, problem })));
  const folders = await foldersFor(wanted).catch((error: unknown) => {
    tellFailure(error);
    return new Map<string, string>();
  });
  const started: Promise<Media | null>[] = [];
  for (const { file, folder } of wanted) {
    const ready = await readyToGo(file);
    if (!ready) continue;
    const target = (folder === null ? undefined : folders.get(folder)) ?? folderId;
    started.push(upload(ready, target, await begunWith(ready)));
  }
  return started;
}

async function readyToGo(file: File): Promise<File | null> {
  if (fateOf(file) === "send") return file;
  try {
    return await toJpeg(file);
  } catch {
    showLeftOut([{ file, problem: uploadWords.unreadable }]);
    return null;
  }
}

/** The library's folder for each name of a folder; names are compared ignoring case. */
async function foldersFor(found: readonly Found[]): Promise<Map<string, string>> {
  const names = new Set(found.flatMap(({ folder }) => folder ?? []));
  const ids = new Map<string, string>();
  if (names.size === 0) return ids;
  const { folders } = await fetchFolders();
  for (const name of names) {
    const known = folders.find((folder) => folder.name.toLowerCase() === name.toLowerCase());
    ids.set(name, (known ?? (await createFolder(name))).id);
  }
  return ids;
}
