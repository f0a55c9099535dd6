/** Days and moments in words. */
import { type Day, utcOf } from "./calendar";

const formats = new Map<string, Intl.DateTimeFormat>();

function format(options: Intl.DateTimeFormatOptions, zone = "UTC"): Intl.DateTimeFormat {
  const key = `${zone} ${Object.entries(options)}`;
  const made = formats.get(key) ?? new Intl.DateTimeFormat("en", { ...options, timeZone: zone });
  formats.set(key, made);
  return made;
}

const TIME = { hour: "numeric", minute: "2-digit" } as const;

/** `November 2026`. */
export const monthName = (day: Day): string => format({ month: "long", year: "numeric" }).format(utcOf(day));

/** `Sunday, November 22`, optionally with the year. */
export const dayName = (day: Day, withYear = false): string =>
  format({ weekday: "long", month: "long", day: "numeric", ...(withYear && { year: "numeric" }) }).format(utcOf(day));

/** `Sun`. */
export const weekdayName = (day: Day): string => format({ weekday: "short" }).format(utcOf(day));

/** `Nov 16 – 22, 2026`. */
export const rangeName = (from: Day, to: Day): string =>
  format({ month: "short", day: "numeric", year: "numeric" }).formatRange(utcOf(from), utcOf(to));

/** `22`, and `Dec 1` for the first day of a month. */
export const dayNumber = (day: Day): string =>
  day.endsWith("-01") ? format({ month: "short", day: "numeric" }).format(utcOf(day)) : String(Number(day.slice(8)));

/** `9:30 AM`, from minutes since midnight. */
export const clock = (minutes: number): string => format(TIME).format(minutes * 60_000);

/** The same without the minutes of a full hour: `9 AM`. */
export const shortClock = (minutes: number): string => clock(minutes).replace(":00", "");

/** `Thu, Nov 26, 9:30 AM`. */
export const momentName = (at: number, zone: string): string =>
  format({ weekday: "short", month: "short", day: "numeric", ...TIME }, zone).format(at);

/** With the year and the zone: `Thursday, November 26, 2026 at 9:30 AM GMT+1`. */
export const fullMoment = (at: number, zone: string): string =>
  format(
    { weekday: "long", month: "long", day: "numeric", year: "numeric", ...TIME, timeZoneName: "short" },
    zone,
  ).format(at);

/** The offset of a zone from UTC at a moment: `GMT+1`. */
export function offsetName(at: number, zone: string): string {
  const parts = format({ timeZoneName: "shortOffset" }, zone).formatToParts(at);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}
