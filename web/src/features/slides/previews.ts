/**
 * Previews of slides, drawn by the service and cached by their inputs, so that nothing is requested twice. The slide being
 * edited comes first; the others follow one by one, as the rate limit allows.
 */
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { ApiError } from "@/api/client";
import { fetchPreview } from "@/api/queries/slides";
import { lookOf, missing, pictureOf, previewPauseMs, type Slide } from "@/lib/slides";
import { asSentence } from "@/lib/words";
import { sentence } from "../problem";

/** A preview of a slide, or why there is none. */
export interface Drawn {
  url: string | null;
  /** The omitted characters, in words; empty if there are none. */
  missing: string;
  /** The problem, and the part it is about. */
  problem: { about: "caption" | "picture" | "service"; text: string } | null;
}

const WIDTH = 540;
const MOST_KEPT = 150;
const BUSY_MS = 1_500;
/** The delay of the other slides after a change, and the number of calls that they leave unused. */
const CALM_MS = 400;
const SPARED_CALLS = 20;

const kept = new Map<string, Drawn>();
let left: number | null = null;
const listeners = new Set<() => void>();
let version = 0;

function keep(picture: string, drawn: Drawn): void {
  kept.delete(picture);
  kept.set(picture, drawn);
  const oldest = kept.keys().next().value;
  if (kept.size > MOST_KEPT && oldest !== undefined) {
    const url = kept.get(oldest)?.url;
    if (url) URL.revokeObjectURL(url);
    kept.delete(oldest);
  }
  version += 1;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The previews so far, by slide; updated after each. */
export function useDrawn(): (slide: Slide) => Drawn | undefined {
  useSyncExternalStore(subscribe, () => version);
  return (slide) => {
    const picture = pictureOf(slide);
    const drawn = kept.get(picture);
    // A shown preview is not the next to be evicted.
    if (drawn) {
      kept.delete(picture);
      kept.set(picture, drawn);
    }
    return drawn;
  };
}

/** Draws a slide and caches it; returns false if it must be requested again. */
async function draw(slide: Slide, signal: AbortSignal): Promise<boolean> {
  const picture = pictureOf(slide);
  const { mediaId, caption } = slide;
  try {
    const preview = await fetchPreview({ mediaId, caption, ...lookOf(slide), width: WIDTH }, signal);
    left = preview.left;
    keep(picture, { url: URL.createObjectURL(preview.picture), missing: missing(preview.missing), problem: null });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    if (error instanceof ApiError && error.status === 429) left = 0;
    const isFinal = error instanceof ApiError && error.status === 400;
    if (isFinal) keep(picture, { url: null, missing: "", problem: problemOf(error) });
    return isFinal;
  }
}

function problemOf(error: ApiError): Drawn["problem"] {
  const caption = error.problems.get("caption");
  if (caption) return { about: "caption", text: asSentence(caption) };
  const picture = error.problems.get("mediaId");
  return picture ? { about: "picture", text: asSentence(picture) } : { about: "service", text: sentence(error) };
}

/**
 * The slide being edited: drawn shortly after each change. An earlier request is aborted, and the old picture stays until
 * the new one has arrived.
 */
export function useLivePreview(slide: Slide): { drawn: Drawn | undefined; isFresh: boolean } {
  const find = useDrawn();
  const now = find(slide);
  const picture = pictureOf(slide);
  const [last, setLast] = useState<{ key: string; drawn: Drawn } | null>(null);
  const before = useRef({ key: "", at: Number.NEGATIVE_INFINITY });
  const latest = useRef(slide);
  latest.current = slide;
  useEffect(() => {
    const { key } = latest.current;
    const now = performance.now();
    const pause = before.current.key === key ? previewPauseMs(left, now - before.current.at) : 0;
    before.current = { key, at: now };
    if (kept.has(picture)) return;
    const stop = new AbortController();
    const ask = async () => {
      const isDone = await draw(latest.current, stop.signal);
      if (!isDone && !stop.signal.aborted) timer = setTimeout(() => void ask(), BUSY_MS);
    };
    let timer = setTimeout(() => void ask(), pause);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [picture]);
  useEffect(() => {
    if (now?.url) setLast({ key: slide.key, drawn: now });
  }, [now, slide.key]);
  const shown = now?.url ? now : last?.key === slide.key ? { ...last.drawn, problem: now?.problem ?? null } : now;
  return { drawn: shown, isFresh: now !== undefined };
}

/** Draws the slides without a preview, one by one, once nothing has changed for a moment. */
export function useOtherPreviews(slides: readonly Slide[], live: string | null): void {
  const others = slides.filter(({ key }) => key !== live);
  const wanted = JSON.stringify(others.map(pictureOf));
  const latest = useRef(others);
  latest.current = others;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed list starts again.
  useEffect(() => {
    const stop = new AbortController();
    const go = async () => {
      const next = latest.current.find((slide) => !kept.has(pictureOf(slide)));
      if (!next || stop.signal.aborted) return;
      const isSpared = left !== null && left < SPARED_CALLS;
      const isDone = !isSpared && (await draw(next, stop.signal));
      if (stop.signal.aborted) return;
      // The rate limit recovers during the pause.
      if (isSpared) left = SPARED_CALLS;
      timer = setTimeout(() => void go(), isDone ? 0 : BUSY_MS * 2);
    };
    let timer = setTimeout(() => void go(), CALM_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [wanted]);
}
