/** Many changes, as many a request as the service takes. */

/** The most items of one request. */
export const MOST = 200;

/**
 * Sends items in requests of at most `MOST`, one after another; answers the results of all, in order. Throws where the first
 * request fails as a whole; where a later one does, the results of those before it are answered.
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
