/** The state of a paced request. */

interface Asked {
  /** When it was last sent, in milliseconds since 1970. */
  at: number;
  /** The response for all callers until it is sent again. */
  next: Promise<unknown> | null;
}

/**
 * Limits the same request to one in `gapMs`: an earlier caller waits, together with all that call meanwhile. A response is
 * never older than its call.
 */
export function paced(gapMs: number) {
  const known = new Map<string, Asked>();
  return <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    const asked = known.get(key) ?? { at: Number.NEGATIVE_INFINITY, next: null };
    known.set(key, asked);
    if (asked.next) return asked.next as Promise<T>;
    const run = () => {
      asked.at = Date.now();
      asked.next = null;
      return ask();
    };
    const wait = asked.at + gapMs - Date.now();
    if (wait <= 0) return run();
    const next = new Promise<void>((resolve) => setTimeout(resolve, wait)).then(run);
    asked.next = next;
    return next;
  };
}
