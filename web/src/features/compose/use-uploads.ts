/** Uploads files as media of the composition, one after the other, in the order of choosing. */
import { useCallback, useEffect, useReducer, useRef } from "react";
import { ApiError, type Schemas } from "@/api/client";
import { useUpload } from "@/api/queries/upload";
import { prepared } from "@/lib/picture";
import { sentence } from "../problem";
import { isAnswer } from "./trouble";

/** A file that is being uploaded. */
export interface Going {
  id: string;
  file: File;
  /** `waits` for the one before it, or for the service to become available. */
  state: "waits" | "goes" | "failed";
  /** The part that is sent, from 0 to 1. */
  part: number;
  problem: string | null;
  /** Whether the service rejects it, however often it is sent. */
  isRefused: boolean;
}

type Change =
  | { do: "add"; files: readonly Going[] }
  | { do: "drop"; id: string }
  | { do: "set"; id: string; to: Partial<Going> };

function reduce(going: readonly Going[], change: Change): readonly Going[] {
  if (change.do === "add") return [...going, ...change.files];
  if (change.do === "drop") return going.filter(({ id }) => id !== change.id);
  return going.map((one) => (one.id === change.id ? { ...one, ...change.to } : one));
}

const AGAIN_MS = 2_000;

/** Whether a file will still arrive without another action. A rejected one will not. */
const isUnderWay = ({ state, isRefused }: Going): boolean => state !== "failed" || !isRefused;

/** `onDone` is called for each file that is READY, in order. */
export function useUploads(onDone: (media: Schemas["Media"]) => void) {
  const upload = useUpload();
  const [going, change] = useReducer(reduce, []);
  const stops = useRef(new Map<string, AbortController>());
  const done = useRef(onDone);
  done.current = onDone;

  const start = useCallback(
    async ({ id, file }: Going) => {
      const stop = new AbortController();
      stops.current.set(id, stop);
      change({ do: "set", id, to: { state: "goes", part: 0, problem: null, isRefused: false } });
      const onProgress = (part: number) => change({ do: "set", id, to: { part } });
      try {
        // The ID is the idempotency key too: a file whose response was lost is not stored twice.
        done.current(await upload(await prepared(file), { once: id, signal: stop.signal, onProgress }));
        change({ do: "drop", id });
      } catch (error) {
        const isRefused = isAnswer(error);
        if (error instanceof ApiError && error.code === "aborted") return change({ do: "drop", id });
        change({ do: "set", id, to: { state: "failed", problem: sentence(error), isRefused } });
        if (!isRefused) setTimeout(() => change({ do: "set", id, to: { state: "waits" } }), AGAIN_MS);
      }
    },
    [upload],
  );

  const isBusy = going.some(({ state }) => state === "goes");
  useEffect(() => {
    const next = going.find(({ state }) => state === "waits");
    if (!isBusy && next) void start(next);
  }, [going, isBusy, start]);
  const isUploading = going.some(isUnderWay);
  useWarning(isUploading);

  const add = (files: Iterable<File>) => {
    const added = [...files].map(
      (file): Going => ({ id: crypto.randomUUID(), file, state: "waits", part: 0, problem: null, isRefused: false }),
    );
    if (added.length > 0) change({ do: "add", files: added });
  };
  const cancel = (id: string) => {
    stops.current.get(id)?.abort();
    change({ do: "drop", id });
  };
  const again = (id: string) => change({ do: "set", id, to: { state: "waits", problem: null, isRefused: false } });
  return { going, isUploading, add, cancel, again };
}

/** The browser warns before it closes a tab with unfinished uploads. */
function useWarning(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isNeeded]);
}
