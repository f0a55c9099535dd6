import { useSyncExternalStore } from "react";

const narrow = matchMedia("(max-width: 47.99rem)");

function subscribe(listener: () => void): () => void {
  narrow.addEventListener("change", listener);
  return () => narrow.removeEventListener("change", listener);
}

/** Whether the window has a phone's width: then the calendar is a list. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);
