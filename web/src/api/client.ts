/** The only place that calls `fetch`: the typed client, its workspace, and errors with their code. */
import createClient from "openapi-fetch";
import { askedToWait, patiently, persistently } from "./patience";
import type { components, paths } from "./schema";

/** The shapes of the API by name. */
export type Schemas = components["schemas"];

/** The error of a call: from the service, or `unreachable` (status 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: unknown,
    /** The ID under which the operator finds the call in the log. */
    readonly requestId: string | null,
    /** The delay before a retry that the service asks for; null if it does not. */
    readonly waitMs: number | null = null,
  ) {
    super(message);
  }

  /** The problems of `invalid_request` by their path, such as `email` or `settings.title`. */
  get problems(): Map<string, string> {
    const found = new Map<string, string>();
    if (!Array.isArray(this.details)) return found;
    for (const detail of this.details as { path?: unknown; message?: unknown }[]) {
      const path = Array.isArray(detail.path) ? detail.path.join(".") : String(detail.path ?? "");
      if (!found.has(path)) found.set(path, String(detail.message ?? ""));
    }
    return found;
  }
}

const KEPT = "playout.workspace";
let workspace = localStorage.getItem(KEPT) ?? "";

/** The workspace of calls. */
export const currentWorkspace = (): string => workspace;

/** Changes the workspace of calls; it is remembered in this browser. */
export function chooseWorkspace(id: string): void {
  workspace = id;
  localStorage.setItem(KEPT, id);
}

/** The header with the workspace, for every call about a workspace's resources. */
export const here = () => ({ "x-organization-id": workspace });

/** The POST operations that have no further effect when they are sent again. */
const BATCHES = /\/(posts\/(reschedule|delete|validate)|media\/delete)$/;

/** Whether a rate-limited request may be sent again. Signing in may not: its limits last longer. */
const isRepeatable = ({ method, url, headers }: Request): boolean =>
  method !== "POST" || headers.has("idempotency-key") || BATCHES.test(new URL(url).pathname);

const patient = (request: Request): Promise<Response> =>
  isRepeatable(request) ? patiently(() => fetch(request.clone()), request.signal) : fetch(request);

/** The typed client. A call's promise goes through `answer`. */
export const client = createClient<paths>({ credentials: "same-origin", fetch: patient });

interface Reply<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The error of one item of a batch, as if it had been requested by itself. */
export const refused = ({ code, message, details }: Schemas["Error"]): ApiError =>
  new ApiError(code.endsWith("_not_found") ? 404 : 409, code, message, details, null);

/** Returns the body; throws an `ApiError` for an error response. */
export async function answer<T>(call: Promise<Reply<T>>): Promise<T> {
  const reply = await call.catch(unreachable);
  if (reply.response.ok) return reply.data as T;
  throw failure(reply.response, reply.error);
}

/** The body with its version, which the `ETag` names; null where a proxy has removed it. */
export async function versioned<T>(call: Promise<Reply<T>>): Promise<{ body: T; version: string | null }> {
  const reply = await call.catch(unreachable);
  return { body: await answer(Promise.resolve(reply)), version: reply.response.headers.get("etag") };
}

function unreachable(): never {
  throw new ApiError(0, "unreachable", "", null, null);
}

const failure = ({ status, headers }: Response, body: unknown): ApiError =>
  refusal(status, (name) => headers.get(name), body);

/** The error of a response with this status. */
export function refusal(status: number, header: (name: string) => string | null, body: unknown): ApiError {
  const error = typeof body === "object" && body !== null ? (body as Partial<Schemas["Error"]>) : {};
  const code = error.code ?? BY_STATUS[status] ?? "internal_error";
  const wait = askedToWait(status, header("retry-after"));
  return new ApiError(status, code, error.message ?? "", error.details, header("x-request-id"), wait);
}

/** A HEAD response has no body, and a proxy's has another form: only the status is known. */
const BY_STATUS: Record<number, string> = {
  401: "invalid_session",
  403: "forbidden",
  404: "not_found",
  // The service itself names a code of its own.
  413: "refused_by_proxy",
  423: "upload_locked",
  429: "rate_limited",
};

/** Reads a stream of text until it ends; returns the status, which is an error if there is no stream. */
export async function follow(path: string, signal: AbortSignal, take: (piece: string) => void, opened: () => void) {
  const headers = { accept: "text/event-stream", ...here() };
  const response = await fetch(path, { headers, signal, cache: "no-store" });
  if (!response.ok || !response.body) return response.status;
  opened();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) take(piece.value);
  return response.status;
}

/** The options of sending a form. */
export interface Sending {
  /** The idempotency key: the same for every retry of the form. */
  once: string;
  signal: AbortSignal;
  /** The part that is sent, from 0 to 1. */
  onProgress: (part: number) => void;
}

/** Sends a form and reports its progress, which `fetch` cannot. Throws an `ApiError` if it is rejected. */
export const send = <T>(path: string, form: FormData, how: Sending): Promise<T> =>
  persistently(() => sendOnce<T>(path, form, how), how.signal);

function sendOnce<T>(path: string, form: FormData, { once, signal, onProgress }: Sending): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    for (const [name, value] of Object.entries({ ...here(), "Idempotency-Key": once })) {
      request.setRequestHeader(name, value);
    }
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const { status, response } = request;
      if (status >= 200 && status < 300) return resolve(response as T);
      reject(refusal(status, (name) => request.getResponseHeader(name), response));
    };
    request.onerror = () => reject(new ApiError(0, "unreachable", "", null, null));
    request.onabort = () => reject(new ApiError(0, "aborted", "", null, null));
    signal.addEventListener("abort", () => request.abort());
    if (signal.aborted) reject(new ApiError(0, "aborted", "", null, null));
    else request.send(form);
  });
}
