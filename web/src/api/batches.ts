/** Batches of changes, split into requests of the size that the service accepts. */

/** The most items of one request. */
export const MOST = 200;

/**
 * Sends items in requests of at most `MOST`, one after another; returns all results, in order. Throws if the first request
 * fails as a whole; if a later one does, returns the results before it.
 */
export async function inBatches<T, R>(items: readonly T[], send: (some: T[]) => Promise<R[]>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += MOST) {
    try {
      results.push(...(await send(items.slice(from, from + MOST))));
    } catch (error) {
      if (results.length === 0) throw error;
      return results;
    }
  }
  return results;
}
