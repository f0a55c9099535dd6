/**
 * Uploads, independent of the shown page: files wait, are sent two at a time, and stay in the list until they are dismissed.
 * Pages read the list; the upload of one file is in `run.ts`, the records that survive a reload in `kept.ts`.
 */
import { useSyncExternalStore } from "react";
import { currentWorkspace, type Schemas } from "@/api/client";
import type { Kept } from "@/lib/uploads";
import { abandon, forget, release } from "./kept";
import { run } from "./run";
import type { Upload } from "./upload";

/** The hidden state of an upload. */
interface Inside {
  file: File;
  stop: AbortController;
  settle: (media: Schemas["Media"] | null) => void;
}

const AT_ONCE = 2;

let uploads: readonly Upload[] = [];
const insides = new Map<string, Inside>();
const listeners = new Set<() => void>();

function change(next: readonly Upload[]): void {
  uploads = next;
  for (const listener of listeners) listener();
}

/** The current uploads. */
export const allUploads = (): readonly Upload[] => uploads;

/** Subscribes to changes. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The uploads of the present workspace. */
export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(subscribe, allUploads).filter(({ workspace }) => workspace === currentWorkspace());
}

/** Updates an upload. */
export function note(id: string, news: Partial<Upload>): void {
  change(uploads.map((upload) => (upload.id === id ? { ...upload, ...news } : upload)));
}

const find = (id: string) => uploads.find((upload) => upload.id === id);

/** Queues a file; resolves to its media, or null if it fails. */
export function upload(file: File, folderId: string | null, kept?: Kept): Promise<Schemas["Media"] | null> {
  const id = crypto.randomUUID();
  const { promise, resolve } = settled();
  insides.set(id, { file, stop: new AbortController(), settle: resolve });
  const others = kept ? uploads.filter(({ uploadId }) => uploadId !== kept.uploadId) : uploads;
  change([
    ...others,
    {
      id,
      workspace: kept?.workspace ?? currentWorkspace(),
      folderId: kept ? kept.folderId : folderId,
      name: file.name,
      size: file.size,
      status: "waiting",
      sent: 0,
      speed: null,
      problem: null,
      uploadId: kept?.uploadId ?? null,
      isLeftOut: false,
    },
  ]);
  next();
  return promise;
}

function settled() {
  let resolve: Inside["settle"] = () => undefined;
  const promise = new Promise<Schemas["Media"] | null>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Lists an upload that was begun before the page was loaded. */
export function showLost(kept: Kept, sent: number): void {
  if (uploads.some(({ uploadId }) => uploadId === kept.uploadId)) return;
  const { uploadId, workspace, folderId, name, size } = kept;
  const seen = { id: uploadId, uploadId, workspace, folderId, name, size, sent };
  change([...uploads, { ...seen, status: "lost", speed: null, problem: null, isLeftOut: false }]);
}

/** Lists files that are not uploaded, each with the reason. */
export function showLeftOut(files: readonly { file: File; problem: string }[]): void {
  const workspace = currentWorkspace();
  const left = files.map(
    ({ file: { name, size }, problem }): Upload => ({
      id: crypto.randomUUID(),
      workspace,
      folderId: null,
      name,
      size,
      status: "failed",
      sent: 0,
      speed: null,
      problem,
      uploadId: null,
      isLeftOut: true,
    }),
  );
  if (left.length > 0) change([...uploads, ...left]);
}

/** Starts waiting files, as many as may run at once. */
function next(): void {
  const going = uploads.filter(({ status }) => status === "sending" || status === "again").length;
  const waiting = uploads.filter(({ status }) => status === "waiting").slice(0, Math.max(0, AT_ONCE - going));
  for (const { id } of waiting) void go(id);
}

async function go(id: string): Promise<void> {
  const inside = insides.get(id);
  const upload = find(id);
  if (!inside || !upload) return;
  note(id, { status: "sending", problem: null });
  const { stop, file, settle } = inside;
  const ended = await run(upload, file, stop.signal, (news) => stop.signal.aborted || note(id, news));
  if (!stop.signal.aborted) {
    if (ended) put(id, { status: "done", sent: file.size });
    settle(ended);
  }
  next();
}

/** An ended upload holds no file any more. */
function put(id: string, news: Partial<Upload>): void {
  insides.delete(id);
  note(id, { speed: null, ...news });
}

/** Pauses an upload. Bytes received are kept. */
export function pause(id: string): void {
  stop(id);
  note(id, { status: "paused", speed: null });
  next();
}

/** Resumes an upload that is paused or has failed, or retries it at once. */
export function resume(id: string): void {
  const inside = insides.get(id);
  if (!inside) return;
  inside.stop.abort();
  insides.set(id, { ...inside, stop: new AbortController() });
  note(id, { status: "waiting", problem: null });
  next();
}

/** Cancels an upload: bytes received are deleted. */
export function cancel(id: string): void {
  const upload = find(id);
  stop(id);
  insides.get(id)?.settle(null);
  insides.delete(id);
  change(uploads.filter((one) => one.id !== id));
  if (upload?.uploadId && upload.status !== "done") void abandon(upload.uploadId, upload.workspace);
  next();
}

function stop(id: string): void {
  insides.get(id)?.stop.abort();
}

/** Dismisses the ended uploads. */
export function putAway(): void {
  const isOver = ({ status }: Upload) => status === "done" || status === "failed";
  for (const { id, uploadId, status } of uploads.filter(isOver)) {
    insides.delete(id);
    if (uploadId && status === "failed") {
      forget(uploadId);
      release(uploadId);
    }
  }
  change(uploads.filter((upload) => !isOver(upload)));
}
