/** Moments as people read them: in the browser's zone, which is always named somewhere on the page. */

/** The browser's time zone, as `Europe/Berlin`. */
export const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const absoluteFormat = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const thisYearFormat = new Intl.DateTimeFormat("en", {
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
});
const fullFormat = new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "long" });
const dayFormat = new Intl.DateTimeFormat("en", { weekday: "long", month: "long", day: "numeric" });
const relativeFormat = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** `Nov 22, 2026, 5:30 PM`. */
export const absolute = (moment: string): string => absoluteFormat.format(new Date(moment));
/** The same without the year where it is this one: `Nov 22, 5:30 PM`. */
export function short(moment: string, now: Date): string {
  const date = new Date(moment);
  return date.getFullYear() === now.getFullYear() ? thisYearFormat.format(date) : absolute(moment);
}
/** With the weekday, the seconds and the zone: what stands behind a relative time. */
export const full = (moment: string): string => fullFormat.format(new Date(moment));
/** `Sunday, November 22`. */
export const day = (moment: Date): string => dayFormat.format(moment);

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

/** The first moments of the local day and of the next; a day of a clock change has 23 or 25 hours. */
export function dayOf(now: Date): { start: string; end: string } {
  const start = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const end = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  return { start: start.toISOString(), end: end.toISOString() };
}

/** The value of a `datetime-local` field for a moment. */
export function toField(moment: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const date = `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
  return `${date}T${two(moment.getHours())}:${two(moment.getMinutes())}`;
}

/** The moment of a `datetime-local` field, or null where it is none. */
export function fromField(value: string): string | null {
  const moment = new Date(value);
  return value === "" || Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

/** A moment moved by whole days of the local calendar and by hours. */
export function moved(moment: string, days: number, hours: number): string {
  const date = new Date(moment);
  date.setDate(date.getDate() + days);
  date.setTime(date.getTime() + hours * HOUR);
  return date.toISOString();
}

/** The end of a period of so many days from now. */
export const daysFrom = (now: Date, days: number): string => new Date(now.getTime() + days * DAY).toISOString();
