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
/** Where the arrows mean something else. */
const OWN_ARROWS = "[data-stop], input";

/** The calendar's keys: `t`, a letter for each view, and the arrows to what is before and after. */
export function useCalendarKeys(actions: Actions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    // Pairs are the frame's; they are read so that their second key is not taken for one of these.
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
