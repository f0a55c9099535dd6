/**
 * Waiting when the service asks for it: a request that was refused as one too many (429, or 503 with Retry-After) goes out
 * again after the time that the answer names, and requests that begin meanwhile wait for it too.
 */
import { useSyncExternalStore } from "react";

/** The longest time that a request waits in all; then the refusal is its answer. */
export const MOST_MS = 60_000;
/** Waited where an answer names no time. */
const UNNAMED_MS = 1_000;
/** Shorter waits are not worth a notice. */
const UNNOTICED_MS = 400;

/** Until when requests wait, in milliseconds since 1970. */
let until = 0;
let waiting = 0;
let isShown = false;
const listeners = new Set<() => void>();

function show(now: boolean): void {
  if (isShown === now) return;
  isShown = now;
  for (const listener of listeners) listener();
}

/** Whether requests wait because the service asked for it. */
export const useIsWaiting = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isShown,
  );

/** The time that a refusal asks to wait, in milliseconds; null where the answer is none of that kind. */
export function askedToWait(status: number, retryAfter: string | null): number | null {
  if (status !== 429 && !(status === 503 && retryAfter !== null)) return null;
  const seconds = Number(retryAfter ?? "");
  return seconds > 0 ? seconds * 1000 : UNNAMED_MS;
}

/** Lets every request wait for so long from now. */
export function holdFor(ms: number): void {
  until = Math.max(until, Date.now() + ms);
}

/** Resolves when requests may go out again; at once where nothing is to be waited for, and where `signal` aborts. */
export async function turn(signal?: AbortSignal | null): Promise<void> {
  if (until <= Date.now()) return;
  waiting += 1;
  const notice = setTimeout(() => show(true), UNNOTICED_MS);
  // What waited together does not go out together: the budget fills up one call at a time.
  while (until > Date.now() && !signal?.aborted) await rest(until - Date.now() + Math.random() * 300, signal);
  clearTimeout(notice);
  waiting -= 1;
  if (waiting === 0) show(false);
}

function rest(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    function end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    }
    signal?.addEventListener("abort", end);
  });
}

/** Sends with `send`, and again for as long as the service asks to wait and there is patience. */
export async function patiently(send: () => Promise<Response>, signal?: AbortSignal | null): Promise<Response> {
  const end = Date.now() + MOST_MS;
  for (;;) {
    await turn(signal);
    const response = await send();
    const wait = askedToWait(response.status, response.headers.get("retry-after"));
    if (wait === null || Date.now() + wait > end || signal?.aborted) return response;
    holdFor(wait);
  }
}

/** As `patiently`, for what throws a refusal that carries the time to wait, as `ApiError` does. */
export async function persistently<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const end = Date.now() + MOST_MS;
  for (;;) {
    await turn(signal);
    try {
      return await send();
    } catch (error) {
      const wait = (error as { waitMs?: number | null }).waitMs ?? null;
      if (wait === null || Date.now() + wait > end || signal.aborted) throw error;
      holdFor(wait);
    }
  }
}
