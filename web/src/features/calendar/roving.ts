/** Roving tab index: one place of a grid is a tab stop; the arrow keys move to the others. */
import { addDays, type Day } from "@/lib/calendar";

const STEPS: Record<string, { days: number; posts: number }> = {
  ArrowLeft: { days: -1, posts: 0 },
  ArrowRight: { days: 1, posts: 0 },
  ArrowUp: { days: 0, posts: -1 },
  ArrowDown: { days: 0, posts: 1 },
};

/** The places of a day in order: its number, and its posts. */
const stopsOf = (grid: HTMLElement, day: Day): HTMLElement[] => [
  ...grid.querySelectorAll<HTMLElement>(`[data-stop="${day}"]`),
];

/** Makes one place the grid's tab stop. */
export function mark(grid: HTMLElement, stop: HTMLElement): void {
  for (const before of grid.querySelectorAll<HTMLElement>('[data-stop][tabindex="0"]')) before.tabIndex = -1;
  stop.tabIndex = 0;
}

/** Ensures that the grid has a tab stop: at a day, or at its first place. */
export function keepReachable(grid: HTMLElement, day: Day): void {
  if (grid.querySelector('[data-stop][tabindex="0"]')) return;
  const stop = stopsOf(grid, day)[0] ?? grid.querySelector<HTMLElement>("[data-stop]");
  if (stop) stop.tabIndex = 0;
}

/**
 * Focuses a day, or a post in it. Returns whether the post was found; until it is, or if there is no space for it, its day
 * has the focus.
 */
export function focusOn(grid: HTMLElement, { day, id }: { day: Day; id?: string }): boolean {
  const stops = stopsOf(grid, day);
  const stop = id === undefined ? stops[0] : stops.find(({ dataset }) => dataset.post === id);
  (stop ?? stops[0])?.focus({ preventScroll: stop === undefined });
  return stop !== undefined;
}

/** Moves the focus with an arrow key. Returns the next day if it is not shown, otherwise null. */
export function goTo(grid: HTMLElement, from: HTMLElement, key: string): Day | null {
  const step = STEPS[key];
  const day = from.dataset.stop;
  if (!step || day === undefined) return null;
  const index = stopsOf(grid, day).indexOf(from);
  if (step.days !== 0) return goToDay(grid, addDays(day, step.days), index);
  const next = stopsOf(grid, day)[index + step.posts];
  if (next) next.focus();
  else if (grid.dataset.days !== undefined) return goToDay(grid, addDays(day, step.posts * 7), step.posts < 0 ? -1 : 0);
  return null;
}

function goToDay(grid: HTMLElement, day: Day, index: number): Day | null {
  const stops = stopsOf(grid, day);
  const stop = stops.at(index < 0 ? -1 : Math.min(index, stops.length - 1));
  stop?.focus();
  return stop ? null : day;
}
