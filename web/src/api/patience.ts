/**
 * Retries after rate limits: a request that was rejected with 429, or 503 with Retry-After, is sent again after the time in
 * the response, and requests that start meanwhile wait too. Then one is sent first: the others follow if it succeeds, and
 * wait twice as long if it does not.
 */
import { useSyncExternalStore } from "react";

/** The longest total wait of a request; after it, the error is returned. */
export const MOST_MS = 60_000;
/** The wait if a response has no Retry-After. */
const UNNAMED_MS = 1_000;
/** Shorter waits are not shown. */
const UNNOTICED_MS = 400;

type Signal = AbortSignal | null | undefined;

/** Until when requests wait, in milliseconds since 1970. */
let until = 0;
/** How many first requests were rejected in a row, and the first rejection; 0 if there was none. */
let refusals = 0;
/** The request that is sent first; settled with its response. */
let ahead: { over: Promise<void>; settle: () => void } | null = null;

let waiting = 0;
let isShown = false;
const listeners = new Set<() => void>();

function show(now: boolean): void {
  if (isShown === now) return;
  isShown = now;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether requests wait because of a rate limit. */
export const useIsWaiting = (): boolean => useSyncExternalStore(subscribe, () => isShown);

/** The delay that a response asks for, in milliseconds; null if it is not rate limited. */
export function askedToWait(status: number, retryAfter: string | null): number | null {
  if (status !== 429 && !(status === 503 && retryAfter !== null)) return null;
  const seconds = Number(retryAfter ?? "");
  return seconds > 0 ? seconds * 1000 : UNNAMED_MS;
}

function refuse(wait: number, wasAhead: boolean): void {
  refusals = wasAhead ? refusals + 1 : Math.max(1, refusals);
  until = Math.max(until, Date.now() + Math.min(MOST_MS, wait * 2 ** (refusals - 1)));
}

/** Waits until `enter` returns true, with a notice if that takes long; `enter` reserves the place synchronously. */
async function turn(enter: () => boolean, end: number, signal: Signal): Promise<void> {
  if (enter()) return;
  waiting += 1;
  const notice = setTimeout(() => show(true), UNNOTICED_MS);
  do {
    // The wait stays bounded if the clock is set back.
    until = Math.min(until, Date.now() + MOST_MS);
    if (until > Date.now()) await rest(Math.min(until, end) - Date.now(), signal);
    else await ahead?.over;
  } while (!enter() && !signal?.aborted);
  clearTimeout(notice);
  waiting -= 1;
  if (waiting === 0) show(false);
}

function rest(ms: number, signal: Signal): Promise<void> {
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

/** The place of the request that is sent first. */
function place() {
  let settle: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { over, settle };
}

/** Calls `send`, and again while the service asks to wait and the longest wait is not reached. */
export async function patiently(send: () => Promise<Response>, signal?: Signal): Promise<Response> {
  const end = Date.now() + MOST_MS;
  let refused: Response | null = null;
  for (;;) {
    let own: typeof ahead = null;
    const enter = () => {
      if (refusals === 0 || Date.now() >= end) return true;
      if (until > Date.now() || ahead !== null) return false;
      own = place();
      ahead = own;
      return true;
    };
    await turn(enter, end, signal);
    if (refused !== null && Date.now() >= end) return refused;
    try {
      const response = await send();
      const wait = askedToWait(response.status, response.headers.get("retry-after"));
      if (wait !== null) refuse(wait, own !== null);
      else if (own !== null) refusals = 0;
      if (wait === null || Math.max(until, Date.now() + wait) > end || signal?.aborted) return response;
      refused = response;
    } finally {
      leave(own);
    }
  }
}

function leave(own: typeof ahead): void {
  if (own === null) return;
  ahead = null;
  own.settle();
}

/** As `patiently`, for uploads, which no other request waits for: rethrows errors of `send` that have no delay. */
export async function persistently<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const end = Date.now() + MOST_MS;
  for (;;) {
    await turn(() => until <= Date.now() || Date.now() >= end, end, signal);
    try {
      const sent = await send();
      refusals = 0;
      return sent;
    } catch (error) {
      const wait = (error as { waitMs?: number | null }).waitMs ?? null;
      if (wait !== null) refuse(wait, false);
      if (wait === null || Date.now() + wait > end || signal.aborted) throw error;
    }
  }
}
