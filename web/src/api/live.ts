/** Live updates: what changes in the workspace makes the queries about it stale, and pages show it. */
import type { QueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { eventReader } from "@/lib/events";
import { currentWorkspace, follow } from "./client";

const PATH = "/app/v1/events";
/** How long to wait before connecting again: after a break, and where the service has no stream. */
const AGAIN_MS = 2_000;
const LONGEST_MS = 60_000;
const NO_STREAM_MS = 10 * 60_000;
const KEPT = "playout.noStreamUntil";
/** How often pages look for themselves while nothing tells them. */
const POLL_MS = 20_000;

/** Which queries an event is about, by the word before the dot of its type. */
const STALE: Record<string, readonly string[]> = {
  post: ["posts", "usage"],
  media: ["media", "usage"],
  platform: ["platforms", "posts", "usage"],
  key: ["keys", "audit"],
  member: ["members", "audit"],
};

let connected = false;
const listeners = new Set<() => void>();

function setConnected(now: boolean): void {
  if (connected === now) return;
  connected = now;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How often a page that shows what changes by itself asks: never while it is told. */
export function usePollInterval(): number | false {
  return useSyncExternalStore(subscribe, () => connected) ? false : POLL_MS;
}

/** Makes stale what an event is about; one that is not understood makes everything stale. */
export function apply(data: string, queries: QueryClient): void {
  const workspace = currentWorkspace();
  for (const noun of STALE[nounOf(data)] ?? [undefined]) {
    void queries.invalidateQueries({ queryKey: noun === undefined ? [workspace] : [workspace, noun] });
  }
}

function nounOf(data: string): string {
  try {
    const event = JSON.parse(data) as { type?: unknown };
    return String(event.type ?? "").split(".")[0] ?? "";
  } catch {
    return "";
  }
}

/** Follows the workspace's events while the page is open. */
export function useLive(workspace: string, queries: QueryClient): void {
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pause = AGAIN_MS;
    const opened = () => {
      pause = AGAIN_MS;
      setConnected(true);
      // What happened while nobody was told.
      void queries.invalidateQueries({ queryKey: [workspace] });
    };
    const run = async () => {
      const read = eventReader((data) => apply(data, queries));
      const status = await follow(PATH, stop.signal, read, opened).catch(() => 0);
      if (stop.signal.aborted) return;
      setConnected(false);
      if (status === 404) sessionStorage.setItem(KEPT, String(Date.now() + NO_STREAM_MS));
      timer = setTimeout(run, status === 404 ? NO_STREAM_MS : pause);
      pause = Math.min(pause * 2, LONGEST_MS);
    };
    const wait = Math.max(0, Number(sessionStorage.getItem(KEPT)) - Date.now());
    if (workspace !== "") timer = setTimeout(run, wait);
    return () => {
      stop.abort();
      clearTimeout(timer);
      setConnected(false);
    };
  }, [workspace, queries]);
}
