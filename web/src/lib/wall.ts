/** Wall clocks in a time zone as they are typed and told: what a date and a time there mean, also where clocks change. */
import { momentOf, offsetAt, readWall, wallField, wallOf } from "./zoned";

const MINUTE = 60_000;

/** What a wall clock's time means. Moments are milliseconds since 1970 (UTC). */
export type Meaning =
  | { kind: "once"; at: number }
  /** Clocks go back: the time comes twice. */
  | { kind: "twice"; first: number; second: number }
  /** Clocks go forward: there is no such time; `at` is as long after the change as the time would have been. */
  | { kind: "never"; at: number };

/** The wall clock in `zone`, as `2026-11-22T09:05`. */
export const wallAt = (at: number, zone: string): string => wallField(wallOf(at, zone));

/** What a wall clock's time (`2026-11-22T09:05`) means in `zone`; null where it is none. */
export function meaning(wall: string, zone: string): Meaning | null {
  const read = readWall(wall);
  if (!read || wallField(read) !== wall) return null;
  const { kind, at, second } = momentOf(read, zone);
  if (second !== null) return { kind: "twice", first: at, second };
  return kind === "gap" ? { kind: "never", at } : { kind: "once", at };
}

/** `UTC+1`, `UTC−3:30`, `UTC`. */
export function offsetName(at: number, zone: string): string {
  const minutes = Math.round(offsetAt(at, zone) / MINUTE);
  if (minutes === 0) return "UTC";
  const rest = Math.abs(minutes) % 60;
  const hours = Math.floor(Math.abs(minutes) / 60);
  return `UTC${minutes < 0 ? "−" : "+"}${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
}

/** `Mon, Nov 23, 9:05 AM`, by the clocks of `zone`. */
export const told = (at: number, zone: string): string =>
  new Intl.DateTimeFormat("en", {
    timeZone: zone,
    weekday: "short",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
  }).format(at);

/** `9:05 AM`, by the clocks of `zone`. */
export const clockTime = (at: number, zone: string): string =>
  new Intl.DateTimeFormat("en", { timeZone: zone, hour: "numeric", minute: "2-digit" }).format(at);

/** The zones that the browser knows, and the one that must be among them. */
export function zones(own: string): string[] {
  return [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", own])].toSorted();
}
