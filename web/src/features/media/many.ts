/** The same with many files, one after another. */
import { ApiError } from "@/api/client";

/** What came of it. */
export interface Outcome<T> {
  done: T[];
  failed: { one: T; error: unknown }[];
}

const PAUSE_MS = 1_500;
const TRIES = 20;

/** Does it with each; one that fails does not stop the others. Where the service asks to wait, it is waited. */
export async function each<T>(all: readonly T[], run: (one: T) => Promise<unknown>): Promise<Outcome<T>> {
  const outcome: Outcome<T> = { done: [], failed: [] };
  for (const one of all) {
    try {
      await patiently(() => run(one));
      outcome.done.push(one);
    } catch (error) {
      outcome.failed.push({ one, error });
    }
  }
  return outcome;
}

async function patiently(run: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await run();
      return;
    } catch (error) {
      const isBusy = error instanceof ApiError && error.status === 429;
      if (!isBusy || tries >= TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

/** The posts that keep a file from being deleted, where that is why. */
export function neededBy(error: unknown): string[] {
  if (!(error instanceof ApiError) || error.code !== "media_in_use") return [];
  const { postIds } = (error.details ?? {}) as { postIds?: unknown };
  return Array.isArray(postIds) ? postIds.map(String) : [];
}
