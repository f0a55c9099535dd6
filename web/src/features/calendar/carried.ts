/** Moving posts with the keyboard. */
import { addDays } from "@/lib/calendar";
import type { Item } from "./items";
import { SNAP_MINUTES, type Target } from "./surface";

/** A post that is being moved with the keyboard, and its target. */
export interface Carried {
  item: Item;
  target: Target;
}

/** The target after an arrow key: by days and weeks, or by days and quarters of an hour. */
export function carriedBy(key: string, { item, target }: Carried): Target | null {
  const across = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (across !== undefined) return { ...target, day: addDays(target.day, across) };
  const down = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (down === undefined) return null;
  if (target.minutes === null) return { ...target, day: addDays(target.day, down * 7) };
  const minutes = snapped(target.minutes ?? item.minutes, down);
  if (minutes < 0) return { day: addDays(target.day, -1), minutes: minutes + 1_440 };
  return minutes < 1_440 ? { ...target, minutes } : { day: addDays(target.day, 1), minutes: minutes - 1_440 };
}

/** The next quarter of an hour up or down. */
function snapped(minutes: number, direction: number): number {
  const steps = minutes / SNAP_MINUTES;
  return (direction > 0 ? Math.floor(steps) + 1 : Math.ceil(steps) - 1) * SNAP_MINUTES;
}

/** The place of a post before it is moved. */
export const placeOf = (item: Item, hasTimes: boolean): Target => ({
  day: item.day,
  minutes: hasTimes ? item.minutes : null,
});
