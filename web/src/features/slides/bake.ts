/** Creates the slides: a request for each appearance, each with an idempotency key, then moves the files to their folder. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, currentWorkspace } from "@/api/client";
import { deleteMedia, updateMedia } from "@/api/queries/media";
import { compositeSlides } from "@/api/queries/slides";
import { type Batch, batches, type Draft, type Slide } from "@/lib/slides";
import { each } from "../media/many";
import { tellFailure } from "../problem";
import { changeDraft, currentDraft } from "./draft";

/** Creates the slides of the draft; `onProblem` gets the key of a slide that fails. */
export function useBake(onProblem: (key: string) => void) {
  const queries = useQueryClient();
  const [isBaking, setBaking] = useState(false);
  const bake = async () => {
    setBaking(true);
    try {
      await make(onProblem);
    } catch (error) {
      tellFailure(error);
    } finally {
      setBaking(false);
      for (const noun of ["media", "usage"]) void queries.invalidateQueries({ queryKey: [currentWorkspace(), noun] });
    }
  };
  return { bake, isBaking };
}

async function make(onProblem: (key: string) => void): Promise<void> {
  const { slides, target } = currentDraft();
  const wanted = batches(slides);
  for (const batch of wanted) {
    const { made, partial } = currentDraft();
    if (made[batch.says] ?? partial[batch.says]) continue;
    const once = keyFor(batch.says);
    const ids = await request(slides, batch, once).catch((error: unknown) => {
      const place = placeOf(error, batch);
      const key = place === undefined ? undefined : slides[place]?.key;
      if (key) onProblem(key);
      throw error;
    });
    const { failed } = target === "with" ? { failed: [] } : await each(ids, (id) => move(id, target));
    changeDraft((draft) => ({ ...draft, partial: { ...draft.partial, [batch.says]: ids } }));
    if (failed[0]) tellFailure(failed[0].error);
  }
  await finish(wanted);
}

/** The idempotency key of a request, stored before it is sent: a retry, even from another tab, takes effect once. */
function keyFor(says: string): string {
  const key = currentDraft().keys[says] ?? crypto.randomUUID();
  changeDraft((draft) => ({ ...draft, keys: { ...draft.keys, [says]: key } }));
  return key;
}

async function request(slides: readonly Slide[], { places, look }: Batch, once: string): Promise<string[]> {
  const wanted = places.flatMap((place) => {
    const slide = slides[place];
    return slide ? [{ index: place, mediaId: slide.mediaId, caption: slide.caption }] : [];
  });
  const result = await compositeSlides({ once, slides: wanted, ...look });
  return result.slides.map(({ mediaId }) => mediaId);
}

const move = (id: string, target: string) => updateMedia({ id, folderId: target === "none" ? null : target });

/** The position of the slide that an error is about: `slides.2.caption` is the third of the request. */
function placeOf(error: unknown, { places }: Batch): number | undefined {
  const paths = error instanceof ApiError ? [...error.problems.keys()] : [];
  const found = paths.map((path) => /^slides\.(\d+)\./.exec(path)?.[1]).find((at) => at !== undefined);
  return found === undefined ? undefined : places[Number(found)];
}

/** All slides are created: deletes those of earlier attempts that were not shown. */
async function finish(wanted: readonly Batch[]): Promise<void> {
  const says = new Set(wanted.map((batch) => batch.says));
  const { partial } = currentDraft();
  const lost = Object.entries(partial).flatMap(([said, ids]) => (says.has(said) ? [] : ids));
  changeDraft((draft) => ({ ...draft, made: onlyOf(draft, says), partial: {}, keys: {} }));
  await each(lost, deleteMedia);
}

function onlyOf({ made, partial }: Draft, says: ReadonlySet<string>): Record<string, string[]> {
  return Object.fromEntries(Object.entries({ ...made, ...partial }).filter(([said]) => says.has(said)));
}
