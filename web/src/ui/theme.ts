import { useSyncExternalStore } from "react";

/** Light, dark, or the system's. */
export type Theme = "system" | "light" | "dark";

const KEPT = "playout.theme";
const isDark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

const read = (): Theme => {
  const kept = localStorage.getItem(KEPT);
  return kept === "light" || kept === "dark" ? kept : "system";
};

function show(): void {
  const theme = read();
  const shown = theme === "system" ? (isDark.matches ? "dark" : "light") : theme;
  document.documentElement.dataset.theme = shown;
}

/** Applies the chosen theme, or follows the system if none is chosen. */
export function startTheme(): void {
  show();
  isDark.addEventListener("change", show);
}

/** Chooses a theme; it is remembered in this browser. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEPT, theme);
  show();
  for (const listener of listeners) listener();
}

/** The theme that was chosen. */
export function useTheme(): Theme {
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return useSyncExternalStore(subscribe, read);
}
