/**
 * Live updates: events invalidate the queries of what changed in the workspace, and pages show it.
 *
 * A stream uses one of the six connections that a browser opens to a host, so the tabs of a browser share one: the tab that
 * holds the lock reads it and broadcasts the events, and when it closes another tab takes over. Browsers have locks only on
 * https and on localhost; elsewhere each visible tab has a stream of its own.
 */
import type { QueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { eventReader } from "@/lib/events";
import { follow } from "./client";
import { apply, lookAgain } from "./stale";

const PATH = "/app/v1/events";
/** The delay before reconnecting: after a break, and if the service has no stream. */
const AGAIN_MS = 2_000;
const LONGEST_MS = 60_000;
const NO_STREAM_MS = 10 * 60_000;
/** The service sends a comment every 15 seconds: a stream that is silent for this long is broken. */
const SILENT_MS = 45_000;
/** The polling interval of pages without a stream. */
const POLL_MS = 20_000;

/** The reactions of a page to the stream. */
export interface Page {
  /** The data of an event. */
  event(data: string): void;
  /** A stream was opened: events from before are missing. */
  opened(): void;
  /** Whether events arrive from now on. */
  connected(now: boolean): void;
}

/** The messages between tabs; `who` asks the reading tab whether there is a stream. */
type TabMessage = { data: string } | "opened" | "alive" | "closed" | "who";

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

/** The polling interval of a page; false while it gets events. */
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

/** Subscribes a page to a workspace's events; returns the function that unsubscribes it. */
export function listen(workspace: string, page: Page): () => void {
  return navigator.locks ? together(workspace, page) : alone(page);
}

function together(workspace: string, page: Page): () => void {
  const name = `playout.live.${workspace}`;
  const stop = new AbortController();
  const channel = new BroadcastChannel(name);
  let leads = false;
  let isOpen = false;
  const receive = receiver(page);
  const broadcast = (message: TabMessage) => {
    isOpen = message !== "closed";
    channel.postMessage(message);
    receive(message);
  };
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data !== "who") receive(data);
    else if (leads && isOpen) channel.postMessage("alive" satisfies TabMessage);
  };
  const lead = () => {
    leads = true;
    return read(broadcast, stop.signal);
  };
  channel.postMessage("who" satisfies TabMessage);
  // Aborting the wait for the lock rejects the promise.
  navigator.locks.request(name, { signal: stop.signal }, lead).catch(() => undefined);
  return () => {
    stop.abort();
    receive("closed");
    channel.close();
  };
}

function alone(page: Page): () => void {
  let stop = new AbortController();
  const receive = receiver(page);
  const look = () => {
    stop.abort();
    stop = new AbortController();
    if (document.visibilityState === "visible") void read(receive, stop.signal);
    else receive("closed");
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    document.removeEventListener("visibilitychange", look);
    stop.abort();
    receive("closed");
  };
}

/** Passes messages to a page, and detects that they have stopped. */
function receiver(page: Page): (message: TabMessage) => void {
  let silence: ReturnType<typeof setTimeout> | undefined;
  return (message) => {
    clearTimeout(silence);
    page.connected(message !== "closed");
    if (message !== "closed") silence = setTimeout(() => page.connected(false), SILENT_MS);
    if (message === "opened") page.opened();
    else if (typeof message === "object") page.event(message.data);
  };
}

/** Reads the stream, reconnecting until it is aborted. */
async function read(emit: (message: TabMessage) => void, stop: AbortSignal): Promise<void> {
  let pause = AGAIN_MS;
  while (!stop.aborted) {
    const opened = () => {
      pause = AGAIN_MS;
      emit("opened");
    };
    const status = await once(emit, opened, stop);
    if (stop.aborted) return;
    emit("closed");
    await rest(status === 404 ? NO_STREAM_MS : pause, stop);
    pause = Math.min(pause * 2, LONGEST_MS);
  }
}

/** Reads the stream until it ends or falls silent; returns its status, 0 if it broke. */
async function once(emit: (message: TabMessage) => void, opened: () => void, stop: AbortSignal): Promise<number> {
  const cut = new AbortController();
  const end = () => cut.abort();
  stop.addEventListener("abort", end);
  let silence = setTimeout(end, SILENT_MS);
  const events = eventReader((data) => emit({ data }));
  const take = (piece: string) => {
    clearTimeout(silence);
    silence = setTimeout(end, SILENT_MS);
    emit("alive");
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
