/** Moments and the local times of a zone, using only `Intl`. Moments are milliseconds since 1970. */
import { type Day, dayOfUtc, utcOf } from "./calendar";

const MINUTE = 60_000;
const DAY_MS = 1_440 * MINUTE;

/** A local date and time. */
export interface Wall {
  day: Day;
  /** Since midnight, by the clock: 150 is half past two, also on the day of a clock change. */
  minutes: number;
}

/** What a local time is in a zone: clocks may skip it (`gap`) or repeat it (`twice`). */
export interface LocalTime {
  kind: "once" | "gap" | "twice";
  /** The moment; for a repeated time the first; in a gap as long after the change as the time would have been. */
  at: number;
  /** The second moment of a repeated time, else null. */
  second: number | null;
}

/** A clock change: from `from` to `to`, in minutes since midnight. */
export interface ClockChange {
  at: number;
  from: number;
  to: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const midnights = new Map<string, Map<number, number>>();

/** The offset of a zone from UTC at a moment, in milliseconds. */
export function offsetAt(at: number, zone: string): number {
  const day = Math.floor(at / DAY_MS);
  const before = offsetAtMidnight(day, zone);
  // No zone changes twice within a day of UTC: equal offsets at both ends hold between them.
  return before === offsetAtMidnight(day + 1, zone) ? before : askOffset(at, zone);
}

function offsetAtMidnight(day: number, zone: string): number {
  const known = midnights.get(zone) ?? new Map<number, number>();
  midnights.set(zone, known);
  const kept = known.get(day);
  if (kept !== undefined) return kept;
  const offset = askOffset(day * DAY_MS, zone);
  known.set(day, offset);
  return offset;
}

function askOffset(at: number, zone: string): number {
  let format = formats.get(zone);
  if (!format) {
    const two = "2-digit";
    const fields = { year: "numeric", month: two, day: two, hour: two, minute: two, second: two } as const;
    format = new Intl.DateTimeFormat("en-US", { ...fields, timeZone: zone, hourCycle: "h23", calendar: "gregory" });
    formats.set(zone, format);
  }
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
}

/** The local time at a moment. */
export function wallOf(at: number, zone: string): Wall {
  const shown = at + offsetAt(at, zone);
  const day = dayOfUtc(shown);
  return { day, minutes: Math.floor((shown - utcOf(day)) / MINUTE) };
}

/** The moment of a local time. */
export function momentOf({ day, minutes }: Wall, zone: string): LocalTime {
  const shown = utcOf(day) + minutes * MINUTE;
  const before = offsetAt(shown - DAY_MS, zone);
  const offsets = new Set([before, offsetAt(shown + DAY_MS, zone)]);
  const fitting = [...offsets].map((offset) => shown - offset).filter((at) => at + offsetAt(at, zone) === shown);
  const [at, second = null] = fitting.toSorted((a, b) => a - b);
  if (at === undefined) return { kind: "gap", at: shown - before, second: null };
  return { kind: second === null ? "once" : "twice", at, second };
}

/** A day's first moment: midnight, or later if the clocks skip it. */
export const startOf = (day: Day, zone: string): number => momentOf({ day, minutes: 0 }, zone).at;

/** The clock change on a day, or null. */
export function changeOn(day: Day, zone: string): ClockChange | null {
  const midnight = utcOf(day);
  let from = startOf(day, zone) - 1;
  let to = startOf(dayOfUtc(midnight + DAY_MS), zone) - 1;
  const [before, after] = [offsetAt(from, zone), offsetAt(to, zone)];
  if (before === after) return null;
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    if (offsetAt(middle, zone) === before) from = middle;
    else to = middle;
  }
  const minutes = (offset: number) => Math.round((to + offset - midnight) / MINUTE);
  return { at: to, from: minutes(before), to: minutes(after) };
}

/** The value of a `datetime-local` field. */
export function wallField({ day, minutes }: Wall): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${day}T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Parses one; null if it is not filled in. */
export function readWall(value: string): Wall | null {
  const [, day = "", hours, minutes] = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)/.exec(value) ?? [];
  if (day === "" || Number.isNaN(utcOf(day)) || Number(hours) > 23 || Number(minutes) > 59) return null;
  return { day, minutes: Number(hours) * 60 + Number(minutes) };
}
