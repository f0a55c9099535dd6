/** Local times in a time zone, typed and shown: their meaning, also where clocks change. */
import { momentOf, offsetAt, readWall, wallField, wallOf } from "./zoned";

const MINUTE = 60_000;

/** The meaning of a local time. Moments are milliseconds since 1970 (UTC). */
export type Meaning =
  | { kind: "once"; at: number }
  /** Clocks go back: the time occurs twice. */
  | { kind: "twice"; first: number; second: number }
  /** Clocks go forward: the time does not exist; `at` is as long after the change as the time would have been. */
  | { kind: "gap"; at: number };

/** The local time in `zone`, such as `2026-11-22T09:05`. */
export const wallAt = (at: number, zone: string): string => wallField(wallOf(at, zone));

/** The meaning of a local time (`2026-11-22T09:05`) in `zone`; null if it is invalid. */
export function meaning(wall: string, zone: string): Meaning | null {
  const read = readWall(wall);
  if (!read || wallField(read) !== wall) return null;
  const { kind, at, second } = momentOf(read, zone);
  if (second !== null) return { kind: "twice", first: at, second };
  return kind === "gap" ? { kind: "gap", at } : { kind: "once", at };
}

/** `UTC+1`, `UTC−3:30`, `UTC`. */
export function offsetName(at: number, zone: string): string {
  const minutes = Math.round(offsetAt(at, zone) / MINUTE);
  if (minutes === 0) return "UTC";
  const rest = Math.abs(minutes) % 60;
  const hours = Math.floor(Math.abs(minutes) / 60);
  return `UTC${minutes < 0 ? "−" : "+"}${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
}

/** `Mon, Nov 23, 9:05 AM`, in `zone`. */
export const told = (at: number, zone: string): string =>
  new Intl.DateTimeFormat("en", {
    timeZone: zone,
    weekday: "short",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
  }).format(at);

/** `9:05 AM`, in `zone`. */
export const clockTime = (at: number, zone: string): string =>
  new Intl.DateTimeFormat("en", { timeZone: zone, hour: "numeric", minute: "2-digit" }).format(at);

/** The zones that the browser knows, and the one that must be included. */
export function zones(own: string): string[] {
  return [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", own])].toSorted();
}
