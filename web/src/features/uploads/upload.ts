/** `lost`: begun before the page was reloaded; it continues when the file is chosen again. */
export type UploadStatus = "waiting" | "sending" | "again" | "paused" | "done" | "failed" | "lost";

/** A file being uploaded. */
export interface Upload {
  /** Its ID in the list. */
  id: string;
  workspace: string;
  folderId: string | null;
  name: string;
  size: number;
  status: UploadStatus;
  /** Bytes received. */
  sent: number;
  /** Bytes per second, once known. */
  speed: number | null;
  /** Why it failed, or why it is retried. */
  problem: string | null;
  /** The ID of the resumable upload, which is its media ID. */
  uploadId: string | null;
  /** Whether it was rejected before anything was sent: retries fail too. */
  isLeftOut: boolean;
}
