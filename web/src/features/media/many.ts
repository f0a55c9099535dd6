/** The same operation on many files, one after another. */
import { ApiError } from "@/api/client";

/** The outcome for all files. */
export interface Outcome<T> {
  done: T[];
  failed: { one: T; error: unknown }[];
}

/** Runs it for each; a failure does not stop the others. */
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

/** The posts that prevent a file's deletion, if that is the error. */
export function neededBy(error: unknown): string[] {
  if (!(error instanceof ApiError) || error.code !== "media_in_use") return [];
  const { postIds } = (error.details ?? {}) as { postIds?: unknown };
  return Array.isArray(postIds) ? postIds.map(String) : [];
}
