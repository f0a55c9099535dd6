/** Uploads, whole or resumable (tus 1.0.0), with progress, which `fetch` does not report. */
import { metadata } from "@/lib/uploads";
import { ApiError, refusal, type Schemas } from "./client";
import { persistently } from "./patience";

const UPLOADS = "/app/v1/media/uploads";
const TUS = { "Tus-Resumable": "1.0.0" };
const BYTES = { "Content-Type": "application/offset+octet-stream" };

/** The options of every transfer: its workspace, the signal that aborts it, the callback for its progress. */
export interface Transfer {
  workspace: string;
  signal: AbortSignal;
  onSent?: (bytes: number) => void;
}

interface Ask {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: FormData | Blob;
}

interface Reply {
  header: (name: string) => string | null;
  text: string;
}

/** `uploadMedia`: a file in one request; with the same key, retries create it only once. */
export async function uploadWhole(file: File, to: { folderId: string | null; once: string }, transfer: Transfer) {
  const body = new FormData();
  body.append("file", file, file.name);
  if (to.folderId) body.append("folderId", to.folderId);
  const reply = await send(
    { method: "POST", path: "/app/v1/media", headers: { "Idempotency-Key": to.once }, body },
    transfer,
  );
  return JSON.parse(reply.text) as Schemas["Media"];
}

/** `createUpload`: returns the upload's ID. */
export async function beginUpload(file: File, folderId: string | null, transfer: Transfer): Promise<string> {
  const headers = {
    ...TUS,
    "Upload-Length": String(file.size),
    "Upload-Metadata": metadata({ filename: file.name, filetype: file.type, folderId }),
  };
  const reply = await send({ method: "POST", path: UPLOADS, headers }, transfer);
  return (JSON.parse(reply.text) as Schemas["Media"]).id;
}

/** `readUpload`: the number of bytes received. */
export async function uploadOffset(id: string, transfer: Transfer): Promise<number> {
  const reply = await send({ method: "HEAD", path: `${UPLOADS}/${id}`, headers: TUS }, transfer);
  return Number(reply.header("Upload-Offset"));
}

/** `appendToUpload`: returns the number of bytes received. */
export async function appendToUpload(id: string, at: { offset: number; bytes: Blob }, transfer: Transfer) {
  const headers = { ...TUS, ...BYTES, "Upload-Offset": String(at.offset) };
  const reply = await send({ method: "PATCH", path: `${UPLOADS}/${id}`, headers, body: at.bytes }, transfer);
  return Number(reply.header("Upload-Offset"));
}

/** `getMedia`, in the workspace of the upload. */
export async function uploadedMedia(id: string, transfer: Transfer): Promise<Schemas["Media"]> {
  return JSON.parse((await send({ method: "GET", path: `/app/v1/media/${id}` }, transfer)).text) as Schemas["Media"];
}

/** `terminateUpload`. */
export async function terminateUpload(id: string, transfer: Transfer): Promise<void> {
  await send({ method: "DELETE", path: `${UPLOADS}/${id}`, headers: TUS }, transfer);
}

const send = (ask: Ask, transfer: Transfer): Promise<Reply> =>
  persistently(() => sendOnce(ask, transfer), transfer.signal);

function sendOnce({ method, path, headers, body }: Ask, { workspace, signal, onSent }: Transfer): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    const isStopped = new DOMException("", "AbortError");
    request.open(method, path);
    for (const [name, value] of Object.entries({ ...headers, "x-organization-id": workspace })) {
      request.setRequestHeader(name, value);
    }
    if (onSent) request.upload.onprogress = (event) => onSent(event.loaded);
    request.onloadend = () => signal.removeEventListener("abort", stop);
    request.onload = () => (request.status < 300 ? resolve(replyOf(request)) : reject(failure(request)));
    request.onerror = () => reject(new ApiError(0, "unreachable", "", null, null));
    request.onabort = () => reject(isStopped);
    signal.addEventListener("abort", stop);
    if (signal.aborted) reject(isStopped);
    else request.send(body ?? null);
  });
}

const replyOf = (request: XMLHttpRequest): Reply => ({
  header: (name) => request.getResponseHeader(name),
  text: request.responseText,
});

const failure = (request: XMLHttpRequest): ApiError =>
  refusal(request.status, (name) => request.getResponseHeader(name), parsed(request.responseText));

function parsed(text: string): Partial<Schemas["Error"]> {
  try {
    return JSON.parse(text) as Partial<Schemas["Error"]>;
  } catch {
    return {};
  }
}
