/** Records of unfinished uploads in local storage, so that they continue when the same file is chosen again. */
import { ApiError, currentWorkspace } from "@/api/client";
import { terminateUpload, uploadOffset } from "@/api/transfer";
import { type FileFacts, isSameFile, type Kept, readKept } from "@/lib/uploads";

const KEPT = "playout.uploads";
const lockOf = (uploadId: string) => `playout.upload.${uploadId}`;

const all = (): Kept[] => readKept(localStorage.getItem(KEPT), Date.now());
const keep = (kept: readonly Kept[]) => localStorage.setItem(KEPT, JSON.stringify(kept));

/** Stores that an upload has begun. */
export const remember = (kept: Kept): void => keep([...all().filter((one) => one.uploadId !== kept.uploadId), kept]);

/** Removes an upload that has ended. */
export const forget = (uploadId: string): void => keep(all().filter((one) => one.uploadId !== uploadId));

/** The unfinished upload of this file in this workspace, if no tab is using it. */
export async function begunWith(file: FileFacts): Promise<Kept | undefined> {
  return (await free()).find((kept) => isSameFile(kept, file));
}

/** The unfinished uploads of this workspace that no tab is using. */
async function free(): Promise<Kept[]> {
  const locks = (await navigator.locks?.query())?.held ?? [];
  const isHeld = (id: string) => releases.has(id) || locks.some(({ name }) => name === lockOf(id));
  return all().filter(({ workspace, uploadId }) => workspace === currentWorkspace() && !isHeld(uploadId));
}

const releases = new Map<string, () => void>();

/** Locks an upload against the browser's other tabs, until it is released or the tab is closed. */
export function hold(uploadId: string): void {
  if (releases.has(uploadId)) return;
  releases.set(uploadId, () => undefined);
  void navigator.locks?.request(
    lockOf(uploadId),
    () => new Promise<void>((resolve) => releases.set(uploadId, () => resolve())),
  );
}

/** Releases the lock. */
export function release(uploadId: string): void {
  releases.get(uploadId)?.();
  releases.delete(uploadId);
}

/** The unfinished uploads of this workspace that no tab is using, each with the bytes received; ended ones are removed. */
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

/** Deletes an abandoned upload. If that fails, the service deletes it within a day. */
export async function abandon(uploadId: string, workspace: string): Promise<void> {
  forget(uploadId);
  release(uploadId);
  await terminateUpload(uploadId, { workspace, signal: new AbortController().signal }).catch(() => undefined);
}
