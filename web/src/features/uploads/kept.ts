/** What outlives the page: which uploads have begun, so that they go on when the same file is chosen again. */
import { ApiError, currentWorkspace } from "@/api/client";
import { terminateUpload, uploadOffset } from "@/api/transfer";
import { type FileFacts, isSameFile, type Kept, readKept } from "@/lib/uploads";

const KEPT = "playout.uploads";
const lockOf = (uploadId: string) => `playout.upload.${uploadId}`;

const all = (): Kept[] => readKept(localStorage.getItem(KEPT), Date.now());
const keep = (kept: readonly Kept[]) => localStorage.setItem(KEPT, JSON.stringify(kept));

/** Remembers that an upload has begun. */
export const remember = (kept: Kept): void => keep([...all().filter((one) => one.uploadId !== kept.uploadId), kept]);

/** Forgets an upload that is over. */
export const forget = (uploadId: string): void => keep(all().filter((one) => one.uploadId !== uploadId));

/** The upload that was begun with this file in this workspace, if nobody works on it. */
export async function begunWith(file: FileFacts): Promise<Kept | undefined> {
  return (await free()).find((kept) => isSameFile(kept, file));
}

/** What this workspace has that no tab works on. */
async function free(): Promise<Kept[]> {
  const locks = (await navigator.locks?.query())?.held ?? [];
  const isHeld = (id: string) => releases.has(id) || locks.some(({ name }) => name === lockOf(id));
  return all().filter(({ workspace, uploadId }) => workspace === currentWorkspace() && !isHeld(uploadId));
}

const releases = new Map<string, () => void>();

/** Tells the browser's other tabs that this one works on an upload, until it is released or closed. */
export function hold(uploadId: string): void {
  if (releases.has(uploadId)) return;
  releases.set(uploadId, () => undefined);
  void navigator.locks?.request(
    lockOf(uploadId),
    () => new Promise<void>((resolve) => releases.set(uploadId, () => resolve())),
  );
}

/** The other tabs may have it. */
export function release(uploadId: string): void {
  releases.get(uploadId)?.();
  releases.delete(uploadId);
}

/** The uploads of this workspace that nobody works on, each with how many bytes are in; those that are over are forgotten. */
export async function findLost(signal: AbortSignal): Promise<{ kept: Kept; sent: number }[]> {
  const workspace = currentWorkspace();
  const lost: { kept: Kept; sent: number }[] = [];
  for (const kept of await free()) {
    try {
      const sent = await uploadOffset(kept.uploadId, { workspace, signal });
      if (sent < kept.size) lost.push({ kept, sent });
      else forget(kept.uploadId);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) forget(kept.uploadId);
    }
  }
  return lost;
}

/** Removes what is in of an upload that was given up. If that fails, the service does it within a day. */
export async function abandon(uploadId: string, workspace: string): Promise<void> {
  forget(uploadId);
  release(uploadId);
  await terminateUpload(uploadId, { workspace, signal: new AbortController().signal }).catch(() => undefined);
}
