/**
 * Live updates: what changes in the workspace makes the queries about it stale, and pages show it.
 *
 * A stream takes one of the six connections that a browser opens to a host, so the tabs of a browser share one: the tab that
 * holds the lock reads it and tells the others, and when it closes another takes over. Browsers have locks on https and on
 * localhost alone; elsewhere a tab has a stream of its own for as long as it is seen.
 */
import type { QueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { eventReader } from "@/lib/events";
import { follow } from "./client";
import { apply, lookAgain } from "./stale";

const PATH = "/app/v1/events";
/** How long to wait before connecting again: after a break, and where the service has no stream. */
const AGAIN_MS = 2_000;
const LONGEST_MS = 60_000;
const NO_STREAM_MS = 10 * 60_000;
/** The service gives a sign of life every 15 seconds: a stream that is silent for so long is dead. */
const SILENT_MS = 45_000;
/** How often pages look for themselves while nothing tells them. */
const POLL_MS = 20_000;

/** What a page does with what it is told. */
export interface Page {
  /** The data of an event. */
  event(data: string): void;
  /** A stream was opened: what happened before was told to nobody. */
  opened(): void;
  /** Whether changes are told from now on. */
  connected(now: boolean): void;
}

/** What the tab that reads the stream tells the others; `who` asks it whether there is a stream. */
type Told = { data: string } | "opened" | "alive" | "closed" | "who";

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

/** Follows the workspace's events while the page is open. */
export function useLive(workspace: string, queries: QueryClient): void {
  useEffect(() => {
    if (workspace === "") return;
    return listen(workspace, {
      event: (data) => apply(data, queries),
      opened: () => lookAgain(workspace, queries),
      connected: setConnected,
    });
  }, [workspace, queries]);
}

/** Lets a page hear of a workspace's changes until what it answers is called. */
export function listen(workspace: string, page: Page): () => void {
  return navigator.locks ? together(workspace, page) : alone(page);
}

function together(workspace: string, page: Page): () => void {
  const name = `playout.live.${workspace}`;
  const stop = new AbortController();
  const channel = new BroadcastChannel(name);
  let leads = false;
  let isOpen = false;
  const hear = hearing(page);
  const tell = (told: Told) => {
    isOpen = told !== "closed";
    channel.postMessage(told);
    hear(told);
  };
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data !== "who") hear(data);
    else if (leads && isOpen) channel.postMessage("alive" satisfies Told);
  };
  const lead = () => {
    leads = true;
    return read(tell, stop.signal);
  };
  channel.postMessage("who" satisfies Told);
  // Whoever stops waiting for the lock is told so by a rejection.
  navigator.locks.request(name, { signal: stop.signal }, lead).catch(() => undefined);
  return () => {
    stop.abort();
    hear("closed");
    channel.close();
  };
}

function alone(page: Page): () => void {
  let stop = new AbortController();
  const hear = hearing(page);
  const look = () => {
    stop.abort();
    stop = new AbortController();
    if (document.visibilityState === "visible") void read(hear, stop.signal);
    else hear("closed");
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    document.removeEventListener("visibilitychange", look);
    stop.abort();
    hear("closed");
  };
}

/** Hands what is told on to a page, and notices when nothing is told any more. */
function hearing(page: Page): (told: Told) => void {
  let silence: ReturnType<typeof setTimeout> | undefined;
  return (told) => {
    clearTimeout(silence);
    page.connected(told !== "closed");
    if (told !== "closed") silence = setTimeout(() => page.connected(false), SILENT_MS);
    if (told === "opened") page.opened();
    else if (typeof told === "object") page.event(told.data);
  };
}

/** Reads the stream, again and again until it is to stop. */
async function read(tell: (told: Told) => void, stop: AbortSignal): Promise<void> {
  let pause = AGAIN_MS;
  while (!stop.aborted) {
    const opened = () => {
      pause = AGAIN_MS;
      tell("opened");
    };
    const status = await once(tell, opened, stop);
    if (stop.aborted) return;
    tell("closed");
    await rest(status === 404 ? NO_STREAM_MS : pause, stop);
    pause = Math.min(pause * 2, LONGEST_MS);
  }
}

/** Reads the stream until it ends or falls silent; answers its status, 0 where it broke. */
async function once(tell: (told: Told) => void, opened: () => void, stop: AbortSignal): Promise<number> {
  const cut = new AbortController();
  const end = () => cut.abort();
  stop.addEventListener("abort", end);
  let silence = setTimeout(end, SILENT_MS);
  const events = eventReader((data) => tell({ data }));
  const take = (piece: string) => {
    clearTimeout(silence);
    silence = setTimeout(end, SILENT_MS);
    tell("alive");
    events(piece);
  };
  const status = await follow(PATH, cut.signal, take, opened).catch(() => 0);
  clearTimeout(silence);
  stop.removeEventListener("abort", end);
  return status;
}

function rest(duration: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      stop.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, duration);
    stop.addEventListener("abort", done);
  });
}
