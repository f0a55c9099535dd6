import { useCallback, useEffect, useRef, useState } from "react";

/** Whether this tab is the one that edits an item: another may be, or may have taken it over. */
export type Sole = "asking" | "ours" | "elsewhere" | "lost";

/** How long a response may take before the page shows that it waits for another tab. */
const PATIENCE_MS = 250;

/**
 * Lets only one tab of this browser edit the item of this name. The next tab waits until the first is closed or `take` takes
 * it over; then the first waits. Browsers without locks (on insecure pages) let every tab edit.
 */
export function useSole(name: string) {
  const [state, setState] = useState<Sole>(() => (navigator.locks ? "asking" : "ours"));
  const steal = useRef<() => void>(() => undefined);
  useEffect(() => {
    if (!navigator.locks) return;
    const over = new AbortController();
    let isWaiting = false;
    const hold = async () => {
      if (over.signal.aborted) return;
      setState("ours");
      await new Promise((resolve) => over.signal.addEventListener("abort", resolve));
    };
    const lose = () => {
      if (over.signal.aborted) return;
      setState("lost");
      wait();
    };
    const wait = () => {
      if (isWaiting) return;
      isWaiting = true;
      const granted = () => {
        isWaiting = false;
        return hold();
      };
      navigator.locks.request(name, { signal: over.signal }, granted).catch(lose);
    };
    steal.current = () => void navigator.locks.request(name, { steal: true }, hold).catch(lose);
    wait();
    const timer = setTimeout(() => setState((now) => (now === "asking" ? "elsewhere" : now)), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }, [name]);
  const take = useCallback(() => steal.current(), []);
  return { state, take };
}
