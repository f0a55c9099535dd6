import { useCallback, useEffect, useRef, useState } from "react";

/** Whether this tab is the one that works on something: another one may be, or may have taken it over. */
export type Sole = "asking" | "ours" | "elsewhere" | "lost";

/** How long an answer may take before the page says that it waits for another tab. */
const PATIENCE_MS = 250;

/**
 * Lets one tab of this browser at a time work on what is named so. The next one waits until the first is closed or
 * `take` takes it over; then the first waits. Browsers without locks (on pages that are not secure) let every tab.
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
