/** The rules of resumable uploads, without a network: accepted types, recognizing a file again, delays of retries. */

/** The properties by which a file is recognized again. */
export interface FileFacts {
  name: string;
  size: number;
  lastModified: number;
}

/** An unfinished upload, as stored by the browser. */
export interface Kept extends FileFacts {
  /** The upload's ID, which is its media ID. */
  uploadId: string;
  workspace: string;
  folderId: string | null;
  /** Milliseconds since 1970. */
  begunAt: number;
}

/** The bytes of one request: enough to be fast, few enough to be sent again. */
export const CHUNK_BYTES = 8 * 2 ** 20;
/** The service deletes an unfinished upload after a day. */
const KEPT_FOR_MS = 24 * 3_600_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** The types that the service accepts unconverted. */
const TAKEN = /^(image\/(jpeg|webp)|video\/(mp4|webm|quicktime))$/;
const TAKEN_ENDINGS = /\.(jpe?g|webp|mp4|m4v|webm|mov)$/i;
/** The types that browsers can decode and convert to JPEG. */
const READABLE = /^image\/(png|gif|bmp|avif|heic|heif|tiff)$/;
const READABLE_ENDINGS = /\.(png|gif|bmp|avif|hei[cf]|tiff?)$/i;

/** What to do with a file: send it, convert it to JPEG first, or leave it out. */
export function fateOf({ name, type }: { name: string; type: string }): "send" | "convert" | "leave" {
  if (name.startsWith(".")) return "leave";
  if (TAKEN.test(type) || (type === "" && TAKEN_ENDINGS.test(name))) return "send";
  return READABLE.test(type) || (type === "" && READABLE_ENDINGS.test(name)) ? "convert" : "leave";
}

/** The name of a picture after its conversion. */
export const asJpeg = (name: string): string => `${name.replace(READABLE_ENDINGS, "")}.jpg`;

/** Whether two descriptions are of the same file. */
export const isSameFile = (a: FileFacts, b: FileFacts): boolean =>
  a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;

/** `Upload-Metadata` of tus 1.0.0: names, each with its value's UTF-8 in base64; empty values are left out. */
export function metadata(values: Record<string, string | null>): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== null && value !== "");
  return pairs.map(([name, value]) => `${name} ${base64(value ?? "")}`).join(",");
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** The delay before a retry, by the number of failures in a row. */
export const pauseMs = (failures: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1));

/** Parses stored records; invalid ones and expired ones are left out. */
export function readKept(text: string | null, now: number): Kept[] {
  try {
    const found: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(found) ? found.filter((one) => isKept(one) && now - one.begunAt < KEPT_FOR_MS) : [];
  } catch {
    return [];
  }
}

function isKept(one: unknown): one is Kept {
  const kept = one as Partial<Kept> | null;
  const texts = [kept?.uploadId, kept?.workspace, kept?.name];
  const numbers = [kept?.size, kept?.lastModified, kept?.begunAt];
  return texts.every((text) => typeof text === "string") && numbers.every((number) => Number.isFinite(number));
}

/** Bytes per second over the last few seconds, from measured progress. */
export function speedometer(windowMs = 5_000): (bytes: number, at: number) => number | null {
  let marks: { bytes: number; at: number }[] = [];
  return (bytes, at) => {
    marks = [...marks.filter((mark) => at - mark.at <= windowMs), { bytes, at }];
    const first = marks[0];
    const elapsed = first ? at - first.at : 0;
    return first && elapsed >= 500 ? Math.max(0, ((bytes - first.bytes) / elapsed) * 1000) : null;
  };
}
