/** Moments for people, in the workspace's zone, which is always shown somewhere on the page. */
import { addDays } from "./calendar";
import { type LocalTime, momentOf, readWall, startOf, wallField, wallOf } from "./zoned";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const STYLES = {
  absolute: { dateStyle: "medium", timeStyle: "short" },
  thisYear: { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" },
  full: { dateStyle: "full", timeStyle: "long" },
  day: { weekday: "long", month: "long", day: "numeric" },
  year: { year: "numeric" },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

let chosen: string | undefined;
let formats: Partial<Record<keyof typeof STYLES, Intl.DateTimeFormat>> = {};

/** The browser's time zone, such as `Europe/Berlin`. */
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone in which times are shown and read. */
export const zone = (): string => chosen ?? browserZone();

/** Sets the zone of shown and typed times; a browser that does not know it uses its own. */
export function showIn(name: string): void {
  if (name === chosen) return;
  chosen = knows(name) ? name : undefined;
  formats = {};
}

function knows(name: string): boolean {
  try {
    return Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

function written(style: keyof typeof STYLES, moment: Date): string {
  const format = formats[style] ?? new Intl.DateTimeFormat("en", { ...STYLES[style], timeZone: zone() });
  formats[style] = format;
  return format.format(moment);
}

const relativeFormat = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** `Nov 22, 2026, 5:30 PM`. */
export const absolute = (moment: string): string => written("absolute", new Date(moment));
/** The same without the present year: `Nov 22, 5:30 PM`. */
export function short(moment: string, now: Date): string {
  const date = new Date(moment);
  return written("year", date) === written("year", now) ? written("thisYear", date) : absolute(moment);
}
/** With the weekday, the seconds and the zone: the tooltip of a relative time. */
export const full = (moment: string): string => written("full", new Date(moment));
/** `Sunday, November 22`. */
export const day = (moment: Date): string => written("day", moment);

/** `in 3 hours`, `yesterday`; beyond a week the absolute time. */
export function relative(moment: string, now: Date): string {
  const distance = new Date(moment).getTime() - now.getTime();
  const size = Math.abs(distance);
  if (size < MINUTE) return distance > 0 ? "in a moment" : "just now";
  if (size < HOUR) return relativeFormat.format(Math.trunc(distance / MINUTE), "minute");
  if (size < DAY) return relativeFormat.format(Math.trunc(distance / HOUR), "hour");
  if (size < 7 * DAY) return relativeFormat.format(Math.trunc(distance / DAY), "day");
  return absolute(moment);
}

/** The first moments of the day and of the next; a day with a clock change has 23 or 25 hours. */
export function dayOf(now: Date): { start: string; end: string } {
  const { day } = wallOf(now.getTime(), zone());
  const first = (of: string) => new Date(startOf(of, zone())).toISOString();
  return { start: first(day), end: first(addDays(day, 1)) };
}

/** The value of a `datetime-local` field for a moment. */
export const toField = (moment: Date): string => wallField(wallOf(moment.getTime(), zone()));

/** The moment of a `datetime-local` field, or null if it is empty. For a repeated time the first; one that clocks skip is moved past the gap. */
export function fromField(value: string): string | null {
  const wall = readWall(value);
  return wall && iso(momentOf(wall, zone()));
}

/** A moment moved by calendar days and by hours; its seconds stay. */
export function moved(moment: string, days: number, hours: number): string {
  const before = new Date(moment).getTime();
  const { day, minutes } = wallOf(before, zone());
  const { at } = momentOf({ day: addDays(day, days), minutes }, zone());
  return new Date(at + (before % MINUTE) + hours * HOUR).toISOString();
}

const iso = ({ at }: LocalTime): string => new Date(at).toISOString();

/** The time that many days from now. */
export const daysFrom = (now: Date, days: number): string => new Date(now.getTime() + days * DAY).toISOString();
/** The number of whole days since a moment. */
export const daysSince = (moment: string, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - new Date(moment).getTime()) / DAY));
