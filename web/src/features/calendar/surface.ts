/** The positions of days and times on the page, and the frame of a target. */
import type { Day } from "@/lib/calendar";

/** A target: a day, and a time of it in views with hours. */
export interface Target {
  day: Day;
  /** Null keeps the time of day. */
  minutes: number | null;
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The minutes to which times snap. */
export const SNAP_MINUTES = 15;
/** The height of a post in minutes, because posts have no duration. */
export const SHOWN_MINUTES = 30;
const LAST_MINUTE = 1_440 - SNAP_MINUTES;

/** The days of a grid when it was read; scrolling is followed, other changes are not. */
export interface Surface {
  hasTimes: boolean;
  targetAt: (x: number, y: number) => Target | null;
  show: (target: Target | null, text: string) => void;
  scroller: HTMLElement | null;
}

/** Reads the positions of a grid's days. */
export function readSurface(grid: HTMLElement): Surface {
  const hasTimes = grid.dataset.times !== undefined;
  const scroller = hasTimes ? grid.querySelector<HTMLElement>("[role=rowgroup]") : grid;
  const frame = grid.querySelector<HTMLElement>("[data-target]");
  const base = frame?.parentElement && cornerOf(frame.parentElement);
  const scrolled = scroller?.scrollTop ?? 0;
  const days = [...grid.querySelectorAll<HTMLElement>("[data-day]")].map((element) => ({
    day: element.dataset.day ?? "",
    box: element.getBoundingClientRect(),
  }));
  const targetAt = (x: number, pointed: number): Target | null => {
    const y = pointed + (scroller?.scrollTop ?? 0) - scrolled;
    const found = days.find(
      ({ box }) => x >= box.left && x < box.right && (hasTimes || (y >= box.top && y < box.bottom)),
    );
    if (!found) return null;
    if (!hasTimes) return { day: found.day, minutes: null };
    const minutes = Math.round((((y - found.box.top) / found.box.height) * 1_440) / SNAP_MINUTES) * SNAP_MINUTES;
    return { day: found.day, minutes: Math.min(LAST_MINUTE, Math.max(0, minutes)) };
  };
  const show = (target: Target | null, text: string) => {
    const box = target && days.find(({ day }) => day === target.day)?.box;
    if (!frame || !base) return;
    if (!box) {
      frame.hidden = true;
      return;
    }
    // In a month the grid itself scrolls, with everything in it.
    const shift = hasTimes ? 0 : scrolled;
    place(frame, within(box, target.minutes, { left: base.left, top: base.top - shift }), text);
  };
  return { hasTimes, targetAt, show, scroller };
}

/** The origin of absolute positions in an element. */
function cornerOf(element: HTMLElement): { left: number; top: number } {
  const { left, top } = element.getBoundingClientRect();
  return { left: left + element.clientLeft, top: top + element.clientTop };
}

function within(box: Box, minutes: number | null, base: { left: number; top: number }): Box {
  const [left, width] = [box.left - base.left, box.width];
  if (minutes === null) return { left, width, top: box.top - base.top, height: box.height };
  const minute = box.height / 1_440;
  return { left, width, top: box.top - base.top + minutes * minute, height: SHOWN_MINUTES * minute };
}

function place(frame: HTMLElement, { left, top, width, height }: Box, text: string): void {
  frame.style.width = `${width}px`;
  frame.style.height = `${height}px`;
  frame.style.transform = `translate(${left}px, ${top}px)`;
  if (frame.textContent !== text) frame.textContent = text;
  frame.hidden = false;
}

/** The minutes of a day at a pointer position. */
export function pressedMinutes(column: HTMLElement, y: number): number {
  const box = column.getBoundingClientRect();
  const minutes = Math.floor((((y - box.top) / box.height) * 1_440) / SHOWN_MINUTES) * SHOWN_MINUTES;
  return Math.min(1_440 - SHOWN_MINUTES, Math.max(0, minutes));
}
