/**
 * The upload of one file: whole if it is small, else in chunks, which survive lost connections and restarts of the service.
 */
import { ApiError, type Schemas } from "@/api/client";
import { appendToUpload, beginUpload, type Transfer, uploadedMedia, uploadOffset, uploadWhole } from "@/api/transfer";
import { CHUNK_BYTES, pauseMs, speedometer } from "@/lib/uploads";
import { uploadWords } from "@/strings/media";
import { sentence } from "../problem";
import { forget, hold, release, remember } from "./kept";
import type { Upload } from "./upload";

type Tell = (news: Partial<Upload>) => void;
type Media = Schemas["Media"];

/** The state of one file's upload. */
interface Way {
  file: File;
  folderId: string | null;
  uploadId: string | null;
  /** The idempotency key of a file sent whole. */
  once: string;
  transfer: Transfer;
  tell: Tell;
}

/** Sends a file, with retries after temporary errors; returns its media, or null after reporting why it failed. */
export async function run(upload: Upload, file: File, signal: AbortSignal, tell: Tell): Promise<Media | null> {
  const { folderId, uploadId, workspace, id } = upload;
  const way: Way = { file, folderId, uploadId, once: id, transfer: { workspace, signal }, tell };
  let failures = 0;
  let best = 0;
  const watched = watchingSpeed(way, (sent) => {
    if (sent > best) failures = 0;
    best = Math.max(best, sent);
  });
  for (;;) {
    try {
      const media = await (file.size > CHUNK_BYTES ? inPieces(watched) : whole(watched));
      if (!media.failure) return media;
      // The service rejected it meanwhile: all bytes had arrived before the connection broke.
      tell({ status: "failed", problem: media.failure.message, speed: null, uploadId: null });
      return null;
    } catch (error) {
      if (signal.aborted) return null;
      if (!mayPass(error)) {
        if (way.uploadId && isGone(error)) letGo(way.uploadId);
        tell({ status: "failed", problem: sentence(error), speed: null });
        return null;
      }
      failures += 1;
      tell({ status: "again", problem: uploadWords.again, speed: null });
      await rest(waitMs(error, failures), signal);
      if (signal.aborted) return null;
      tell({ status: "sending", problem: null });
    }
  }
}

/** Reports progress and speed. */
function watchingSpeed(way: Way, seen: (sent: number) => void): Way {
  const speed = speedometer();
  const { tell: plain } = way;
  const tell: Tell = (news) => {
    if (news.sent === undefined) return plain(news);
    seen(news.sent);
    plain({ ...news, speed: speed(news.sent, performance.now()) });
  };
  return Object.assign(way, { tell });
}

async function whole({ file, folderId, once, transfer, tell }: Way): Promise<Media> {
  const onSent = (bytes: number) => tell({ sent: Math.min(bytes, file.size) });
  return uploadWhole(file, { folderId, once }, { ...transfer, onSent });
}

async function inPieces(way: Way): Promise<Media> {
  const { file, transfer, tell } = way;
  let offset = way.uploadId ? await standing(way, way.uploadId) : 0;
  const id = way.uploadId ?? (await begin(way));
  hold(id);
  while (offset < file.size) {
    const from = offset;
    tell({ sent: from });
    const bytes = file.slice(from, from + CHUNK_BYTES);
    const onSent = (sent: number) => tell({ sent: Math.min(from + sent, file.size) });
    offset = await appendToUpload(id, { offset: from, bytes }, { ...transfer, onSent });
  }
  const media = await uploadedMedia(id, transfer);
  letGo(id);
  return media;
}

/** The number of bytes received; an upload that no longer exists starts again. */
async function standing(way: Way, id: string): Promise<number> {
  try {
    return await uploadOffset(id, way.transfer);
  } catch (error) {
    if (!isGone(error)) throw error;
    letGo(id);
    way.uploadId = null;
    return 0;
  }
}

async function begin(way: Way): Promise<string> {
  const { file, folderId, transfer, tell } = way;
  const uploadId = await beginUpload(file, folderId, transfer);
  const { name, size, lastModified } = file;
  remember({
    uploadId,
    workspace: transfer.workspace,
    folderId,
    name,
    size,
    lastModified,
    begunAt: Date.now(),
  });
  way.uploadId = uploadId;
  tell({ uploadId });
  return uploadId;
}

function letGo(id: string): void {
  forget(id);
  release(id);
}

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404;

/** Temporary errors: no connection, a busy or failing service, a wrong offset. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const passing = ["upload_offset_conflict", "upload_locked", "idempotency_in_progress", "request_timeout"];
  return error.status === 0 || error.status === 429 || error.status >= 500 || passing.includes(error.code);
}

function waitMs(error: unknown, failures: number): number {
  return Math.max(pauseMs(failures), (error instanceof ApiError && error.waitMs) || 0);
}

/** Waits, at most until the connection is back. */
function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    function end() {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      window.removeEventListener("online", end);
      resolve();
    }
    signal.addEventListener("abort", end);
    window.addEventListener("online", end);
  });
}
