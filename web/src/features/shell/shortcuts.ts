import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { isTyping, shortcutReader } from "@/lib/keys";
import { PAGES } from "./pages";

interface Actions {
  palette: () => void;
  help: () => void;
}

/** Shortcuts on all pages: inactive while the user types or a dialog is open, except those with the command key. */
export function useShortcuts(actions: Actions): void {
  const navigate = useNavigate();
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const read = shortcutReader(["/", "?", ...PAGES.map(({ shortcut }) => shortcut)]);
    const press = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        latest.current.palette();
        return;
      }
      const isElsewhere = isTyping(event.target) || document.querySelector("dialog[open], [role=menu]") !== null;
      if (isElsewhere || event.metaKey || event.ctrlKey || event.altKey) return;
      const shortcut = read(event.key, event.timeStamp);
      if (shortcut === null) return;
      event.preventDefault();
      const page = PAGES.find((page) => page.shortcut === shortcut);
      if (page) void navigate({ to: page.to });
      else if (shortcut === "?") latest.current.help();
      else search(latest.current.palette);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [navigate]);
}

/** Focuses the page's own search field, if it has one. */
function search(otherwise: () => void): void {
  const field = document.querySelector<HTMLInputElement>("input[type=search]");
  if (field) field.focus();
  else otherwise();
}
