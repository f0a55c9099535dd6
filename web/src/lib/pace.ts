/** How often the same is asked at most. */

interface Asked {
  /** When it was last asked, in milliseconds since 1970. */
  at: number;
  /** The answer to all who ask before it is asked again. */
  next: Promise<unknown> | null;
}

/**
 * Lets the same be asked once in `gapMs`: who asks earlier waits, together with all who ask meanwhile. An answer is never
 * older than its question.
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
