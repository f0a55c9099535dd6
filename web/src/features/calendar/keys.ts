import { useEffect, useRef } from "react";
import { isTyping, shortcutReader } from "@/lib/keys";
import { PAGES } from "../shell/pages";
import { VIEWS, type View } from "./search";

interface Actions {
  onView: (view: View) => void;
  onToday: () => void;
  onStep: (direction: 1 | -1) => void;
}

const STEPS: Record<string, 1 | -1> = { ArrowLeft: -1, ArrowRight: 1 };
/** Elements with their own meaning of the arrow keys. */
const OWN_ARROWS = "[data-stop], input";

/** The calendar's keys: `t`, a letter for each view, and arrows for the previous and the next period. */
export function useCalendarKeys(actions: Actions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    // Key pairs belong to the frame; they are read so that their second key is not handled here.
    const read = shortcutReader(["t", ...VIEWS.map(({ key }) => key), ...PAGES.map(({ shortcut }) => shortcut)]);
    const press = (event: KeyboardEvent) => {
      const isOpen = document.querySelector("dialog[open], [role=menu], [role=dialog]") !== null;
      if (isOpen || isTyping(event.target) || event.metaKey || event.ctrlKey || event.altKey) return;
      const { onView, onToday, onStep } = latest.current;
      const key = read(event.key, event.timeStamp);
      const chosen = VIEWS.find((one) => one.key === key);
      const step = STEPS[event.key];
      if (chosen) onView(chosen.view);
      else if (key === "t") onToday();
      else if (step && !(event.target as Element).closest?.(OWN_ARROWS)) onStep(step);
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}
