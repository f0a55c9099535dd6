import { useQueryClient } from "@tanstack/react-query";
import { ChevronDown, ChevronUp, X } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { currentWorkspace } from "@/api/client";
import { outdateHere } from "@/api/stale";
import { uploadWords } from "@/strings/media";
import { IconButton } from "@/ui/button";
import { findLost } from "./kept";
import { Row } from "./row";
import { putAway, showLost, useUploads } from "./store";
import type { Upload } from "./upload";

const IS_UNDER_WAY = ({ status }: Upload) => status === "sending" || status === "again" || status === "waiting";
/** How long the tray stays after all uploads have succeeded. */
const STAYS_MS = 6_000;

/** The uploads, at the bottom of every page while there are any. */
export function UploadTray() {
  const uploads = useUploads();
  const [isOpen, setOpen] = useState(() => matchMedia("(min-width: 768px)").matches);
  const frame = useRef<HTMLElement>(null);
  useFreshLibrary(uploads.filter(({ status }) => status === "done").length);
  useLostUploads();
  useWarningOnLeaving(uploads.some(IS_UNDER_WAY));
  usePutAway(uploads);
  useRoomBelow(frame, uploads.length > 0);
  if (uploads.length === 0) return null;
  return (
    <section
      ref={frame}
      aria-label={uploadWords.title}
      className="rises fixed inset-x-4 bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-30 overflow-hidden rounded-xl border border-line bg-surface shadow-raised md:inset-x-auto md:right-6 md:bottom-6 md:w-96"
    >
      <header className="flex h-11 items-center gap-1 pr-1.5 pl-4">
        <p role="status" className="min-w-0 flex-1 truncate font-medium tabular-nums">
          {summary(uploads)}
        </p>
        <IconButton
          label={isOpen ? uploadWords.hide : uploadWords.show}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <ChevronDown aria-hidden className="size-4" /> : <ChevronUp aria-hidden className="size-4" />}
        </IconButton>
        {!uploads.some(IS_UNDER_WAY) && (
          <IconButton label={uploadWords.putAway} onClick={putAway}>
            <X aria-hidden className="size-4" />
          </IconButton>
        )}
      </header>
      {!isOpen && <Bar value={share(uploads)} />}
      {isOpen && (
        <ul
          aria-label={uploadWords.title}
          className="max-h-72 divide-y divide-line overflow-y-auto border-line border-t -outline-offset-2"
        >
          {uploads.map((upload) => (
            <Row key={upload.id} upload={upload} />
          ))}
        </ul>
      )}
    </section>
  );
}

function summary(uploads: readonly Upload[]): string {
  const count = (...wanted: Upload["status"][]) => uploads.filter(({ status }) => wanted.includes(status)).length;
  if (count("sending", "again", "waiting") > 0) {
    return uploadWords.going(count("done"), count("sending", "again", "waiting", "done"));
  }
  if (count("failed") > 0) return uploadWords.failed(count("failed"));
  if (count("paused") > 0) return uploadWords.paused;
  return count("lost") > 0 ? uploadWords.waits(count("lost")) : uploadWords.done(count("done"));
}

function share(uploads: readonly Upload[]): number {
  const size = uploads.reduce((sum, upload) => sum + upload.size, 0);
  return size === 0 ? 0 : uploads.reduce((sum, upload) => sum + upload.sent, 0) / size;
}

/** The progress, hidden from screen readers. */
function Bar({ value }: { value: number }) {
  return (
    <div aria-hidden className="h-0.5 bg-sunken">
      <div className="h-full bg-accent transition-[width]" style={{ width: `${Math.min(1, value) * 100}%` }} />
    </div>
  );
}

/** Refreshes the library after uploads. */
function useFreshLibrary(done: number): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (done === 0) return;
    outdateHere(queries, "media", "usage");
  }, [done, queries]);
}

/** Looks once for uploads that were begun before the page was loaded. */
function useLostUploads(): void {
  const workspace = currentWorkspace();
  useEffect(() => {
    const stop = new AbortController();
    const show = async () => {
      const lost = workspace === "" ? [] : await findLost(stop.signal);
      if (!stop.signal.aborted) for (const { kept, sent } of lost) showLost(kept, sent);
    };
    void show();
    return () => stop.abort();
  }, [workspace]);
}

function useWarningOnLeaving(isUnderWay: boolean): void {
  useEffect(() => {
    if (!isUnderWay) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isUnderWay]);
}

/** Dismisses successful uploads automatically. */
function usePutAway(uploads: readonly Upload[]): void {
  const isAllDone = uploads.length > 0 && uploads.every(({ status }) => status === "done");
  useEffect(() => {
    if (!isAllDone) return;
    const timer = setTimeout(putAway, STAYS_MS);
    return () => clearTimeout(timer);
  }, [isAllDone]);
}

/** Moves notices and selections above the tray. */
function useRoomBelow(frame: RefObject<HTMLElement | null>, isShown: boolean): void {
  useEffect(() => {
    const element = frame.current;
    const page = document.documentElement.style;
    if (!isShown || !element) return;
    const watch = new ResizeObserver(() => page.setProperty("--tray", `${element.offsetHeight + 8}px`));
    watch.observe(element);
    return () => {
      watch.disconnect();
      page.removeProperty("--tray");
    };
  }, [frame, isShown]);
}
