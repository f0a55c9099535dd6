import { useSyncExternalStore } from "react";

const narrow = matchMedia("(max-width: 47.99rem)");

function subscribe(listener: () => void): () => void {
  narrow.addEventListener("change", listener);
  return () => narrow.removeEventListener("change", listener);
}

/** Whether the window is a phone's: the calendar is a list there. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);
