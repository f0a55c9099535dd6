import { ImagePlus, Library } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { reordered } from "@/lib/reorder";
import { composeWords } from "@/strings/compose";
import { Button } from "@/ui/button";
import { toast } from "@/ui/toasts";
import type { Composition } from "./composition";
import { LibraryDialog } from "./library";
import { MediaTile, RefusedFile, UploadTile } from "./media-tile";
import { ProblemNotes } from "./problem-notes";
import { at } from "./problems";
import { useComposing } from "./use-composition";
import { useReorder } from "./use-reorder";
import type { useUploads } from "./use-uploads";
import { VideoCover } from "./video-cover";

const ACCEPTED = "image/*,video/mp4,video/webm,video/quicktime";

/** Adds new media at the end. */
export const withMedia = (doc: Composition, ids: readonly string[]): Composition => ({
  ...doc,
  media: [...doc.media, ...ids.filter((id) => !doc.media.includes(id))],
});

interface Props {
  uploads: ReturnType<typeof useUploads>;
  /** Shows one in the preview. */
  onShow: (index: number) => void;
}

/** The video or the photos: choose, drop, paste, reorder. */
export function MediaStrip({ uploads, onShow }: Props) {
  const { doc, edit, kind, problems } = useComposing();
  const [choosing, setChoosing] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const hint = useId();
  const isOver = useDrops(uploads.add);
  const onMove = (from: number, to: number) =>
    edit("media", (doc) => ({ ...doc, media: reordered(doc.media, from, to) }));
  const reorder = useReorder(doc.media.length, onMove);
  const found = at(problems, "media");
  const refused = uploads.going.filter(({ isRefused }) => isRefused);
  const coming = uploads.going.filter(({ isRefused }) => !isRefused);
  const isEmpty = doc.media.length === 0 && coming.length === 0;
  const remove = (index: number) => {
    removeAt(doc, index, edit);
    reorder.focus(index);
  };
  return (
    <section aria-labelledby={`${hint}-title`} className="grid gap-3">
      <div>
        <h2 id={`${hint}-title`} className="font-semibold text-[0.9375rem] leading-6">
          {composeWords.media}
        </h2>
        <p className="text-soft">{composeWords.mediaIntro}</p>
      </div>
      {!isEmpty && (
        <ul
          ref={reorder.list}
          aria-label={composeWords.media}
          className="grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-3"
        >
          {doc.media.map((id, index) => (
            <MediaTile
              key={id}
              id={id}
              index={index}
              reorder={reorder}
              hint={hint}
              hasProblem={found.some(({ media }) => media === index)}
              onShow={() => onShow(index)}
              onRemove={() => remove(index)}
              onCover={
                kind === "image" && doc.media.length > 1 ? () => edit("media", (doc) => ({ ...doc, cover: id })) : null
              }
            />
          ))}
          {coming.map((going) => (
            <UploadTile
              key={going.id}
              going={going}
              onCancel={() => uploads.cancel(going.id)}
              onAgain={() => uploads.again(going.id)}
            />
          ))}
        </ul>
      )}
      {refused.length > 0 && (
        <ul
          aria-label={composeWords.refusedFiles}
          className="divide-y divide-line rounded-xl border border-line bg-surface"
        >
          {refused.map((going) => (
            <RefusedFile
              key={going.id}
              going={going}
              onCancel={() => uploads.cancel(going.id)}
              onAgain={() => uploads.again(going.id)}
            />
          ))}
        </ul>
      )}
      <p id={hint} className="sr-only">
        {composeWords.reorderHint}
      </p>
      <p role="status" className="sr-only">
        {reorder.said}
      </p>
      <ProblemNotes problems={found} />
      {kind === "video" && <VideoCover />}
      <div
        className={`flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border border-dashed px-4 transition-colors ${isEmpty ? "py-7" : "py-3"} ${isOver ? "border-accent bg-accent-soft" : "border-line-strong/60"}`}
      >
        <ImagePlus aria-hidden className="size-5 shrink-0 text-soft" strokeWidth={1.5} />
        <p className="min-w-40 flex-1">
          {isOver ? composeWords.dropHere : composeWords.drop}{" "}
          {!isOver && (
            <button
              type="button"
              onClick={() => files.current?.click()}
              className="rounded font-medium text-accent underline-offset-4 hover:underline"
            >
              {composeWords.browse}
            </button>
          )}
          <span className="block text-[0.8125rem] text-soft">{composeWords.mediaTypes}</span>
        </p>
        <Button size="small" onClick={() => setChoosing(true)}>
          <Library aria-hidden className="size-4" />
          {composeWords.fromLibrary}
        </Button>
        <input
          ref={files}
          type="file"
          multiple
          accept={ACCEPTED}
          hidden
          aria-label={composeWords.browse}
          onChange={({ target }) => {
            uploads.add(target.files ?? []);
            target.value = "";
          }}
        />
      </div>
      <LibraryDialog
        open={choosing}
        onClose={() => setChoosing(false)}
        chosen={doc.media}
        onAdd={(ids) => edit("media", (doc) => withMedia(doc, ids))}
      />
    </section>
  );
}

/** Removes one, with an offer to undo it. */
function removeAt(doc: Composition, index: number, edit: ReturnType<typeof useComposing>["edit"]): void {
  const id = doc.media[index];
  if (id === undefined) return;
  const without = (doc: Composition) => doc.media.filter((other) => other !== id);
  edit("media", (doc) => ({ ...doc, media: without(doc) }));
  toast(composeWords.removed(composeWords.subjects.photo(index + 1)), () =>
    edit("media", (doc) => {
      const others = without(doc);
      return { ...doc, media: [...others.slice(0, index), id, ...others.slice(index)] };
    }),
  );
}

/** Files dropped or pasted anywhere on the page; returns whether files are dragged over it. */
function useDrops(add: (files: Iterable<File>) => void): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(add);
  latest.current = add;
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      latest.current(event.dataTransfer?.files ?? []);
    };
    const paste = (event: ClipboardEvent) => {
      const files = event.clipboardData?.files;
      if (!files || files.length === 0) return;
      event.preventDefault();
      latest.current(files);
    };
    const listeners = { dragover: over, dragleave: leave, drop, paste } as Record<string, (event: never) => void>;
    for (const [name, run] of Object.entries(listeners)) window.addEventListener(name, run as EventListener);
    return () => {
      for (const [name, run] of Object.entries(listeners)) window.removeEventListener(name, run as EventListener);
    };
  }, []);
  return isOver;
}
