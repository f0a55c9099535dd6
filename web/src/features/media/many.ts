/** The same with many files, one after another. */
import { ApiError } from "@/api/client";

/** What came of it. */
export interface Outcome<T> {
  done: T[];
  failed: { one: T; error: unknown }[];
}

/** Does it with each; one that fails does not stop the others. */
export async function each<T>(all: readonly T[], run: (one: T) => Promise<unknown>): Promise<Outcome<T>> {
  const outcome: Outcome<T> = { done: [], failed: [] };
  for (const one of all) {
    try {
      await run(one);
      outcome.done.push(one);
    } catch (error) {
      outcome.failed.push({ one, error });
    }
  }
  return outcome;
}

/** The posts that keep a file from being deleted, where that is why. */
export function neededBy(error: unknown): string[] {
  if (!(error instanceof ApiError) || error.code !== "media_in_use") return [];
  const { postIds } = (error.details ?? {}) as { postIds?: unknown };
  return Array.isArray(postIds) ? postIds.map(String) : [];
}
