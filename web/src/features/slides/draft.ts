/** The slideshow being edited, one for each workspace. It is in local storage, so that closing the tab loses nothing. */
import { useSyncExternalStore } from "react";
import { currentWorkspace, type Schemas } from "@/api/client";
import { type Draft, EMPTY, lookOf, MOST_SLIDES, readDraft, type Slide, USUAL } from "@/lib/slides";
import { slideWords } from "@/strings/slides";
import { toastFailure } from "@/ui/toasts";

const keyOf = (workspace: string) => `playout.slides.${workspace}`;

let known: { workspace: string; draft: Draft } | null = null;
const listeners = new Set<() => void>();

/** The current slideshow. */
export function currentDraft(): Draft {
  const workspace = currentWorkspace();
  if (known?.workspace !== workspace) {
    known = { workspace, draft: readDraft(localStorage.getItem(keyOf(workspace))) };
  }
  return known.draft;
}

/** Changes and stores it. */
export function changeDraft(change: (draft: Draft) => Draft): void {
  const draft = change(currentDraft());
  const workspace = currentWorkspace();
  known = { workspace, draft };
  localStorage.setItem(keyOf(workspace), JSON.stringify(draft));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  // Another tab has changed it.
  const elsewhere = (event: StorageEvent) => {
    if (event.key !== keyOf(currentWorkspace())) return;
    known = null;
    listener();
  };
  listeners.add(listener);
  window.addEventListener("storage", elsewhere);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", elsewhere);
  };
}

/** The slideshow, with updates. */
export const useDraft = (): Draft => useSyncExternalStore(subscribe, currentDraft);

/** Changes its slides. */
export const changeSlides = (change: (slides: Slide[]) => Slide[]): void =>
  changeDraft((draft) => ({ ...draft, slides: change(draft.slides) }));

/** Changes one slide. */
export const changeSlide = (key: string, news: Partial<Slide>): void =>
  changeSlides((slides) => slides.map((slide) => (slide.key === key ? { ...slide, ...news } : slide)));

/** Adds a slide for each picture, with the appearance of the last one. Returns the key of the first new slide. */
export function addPictures(media: readonly Schemas["Media"][]): string | null {
  const { slides } = currentDraft();
  const look = lookOf(slides.at(-1) ?? USUAL);
  const pictures = media.filter(({ mediaType, status }) => mediaType === "image" && status === "READY");
  const added = pictures.slice(0, MOST_SLIDES - slides.length).map((picture) => ({
    ...look,
    key: crypto.randomUUID(),
    mediaId: picture.id,
    name: picture.originalFileName,
    thumb: picture.previewUrl,
    caption: "",
  }));
  if (added.length < pictures.length) toastFailure(slideWords.full(MOST_SLIDES));
  if (added.length > 0) changeSlides((slides) => [...slides, ...added]);
  return added[0]?.key ?? null;
}

/** Starts a new slideshow. The target folder is kept. */
export const startAnew = (): void => changeDraft(({ target }) => ({ ...EMPTY, target }));
