/** Calendar days, such as `2026-11-22`: arithmetic without times and zones. */

/** A day such as `2026-11-22`; days compare as strings. */
export type Day = string;

const DAY_MS = 86_400_000;

/** The first moment of the day in UTC, in milliseconds. */
export const utcOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);

/** The day of a moment in UTC. */
export const dayOfUtc = (at: number): Day => new Date(at).toISOString().slice(0, 10);

/** Parses a day; null if it is invalid, such as `2026-02-30`. */
export function readDay(text: unknown): Day | null {
  if (typeof text !== "string" || !/^(19|20|21)\d\d-\d\d-\d\d$/.test(text)) return null;
  const at = utcOf(text);
  return !Number.isNaN(at) && dayOfUtc(at) === text ? text : null;
}

/** The day that many days later, or earlier. */
export const addDays = (day: Day, count: number): Day => dayOfUtc(utcOf(day) + count * DAY_MS);

/** The number of days from `from` to a day. */
export const daysBetween = (from: Day, to: Day): number => Math.round((utcOf(to) - utcOf(from)) / DAY_MS);

/** The same day that many months later; the month's last if it has no such day. */
export function addMonths(day: Day, count: number): Day {
  const date = new Date(utcOf(day));
  const wanted = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(wanted, last));
  return dayOfUtc(date.getTime());
}

/** The month's first day. */
export const monthStart = (day: Day): Day => `${day.slice(0, 7)}-01`;

/** Whether two days are in the same month. */
export const isSameMonth = (one: Day, other: Day): boolean => one.slice(0, 7) === other.slice(0, 7);

/** The weekday, from 0 (Sunday) to 6. */
export const weekday = (day: Day): number => new Date(utcOf(day)).getUTCDay();

/** The first day of the day's week; weeks start on `first`. */
export const weekStart = (day: Day, first: number): Day => addDays(day, -((weekday(day) - first + 7) % 7));

/** Consecutive days from `start`. */
export const daysFrom = (start: Day, count: number): Day[] =>
  Array.from({ length: count }, (_, index) => addDays(start, index));

/** The first days of the weeks of a month: four to six. */
export function weeksOfMonth(day: Day, first: number): Day[] {
  const start = weekStart(monthStart(day), first);
  const end = addMonths(monthStart(day), 1);
  return Array.from({ length: Math.ceil(daysBetween(start, end) / 7) }, (_, week) => addDays(start, week * 7));
}

/** Regions whose weeks start on Sunday and on Saturday (CLDR, supplemental week data), for browsers without this data. */
const SUNDAY =
  "AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW";
const SATURDAY = "AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY";

interface WeekInfo {
  firstDay: number;
}

/** The first weekday of a locale, from 0 (Sunday) to 6; a language without a region has that of most of its speakers. */
export function firstWeekday(locale: string): number {
  const full = new Intl.Locale(locale).maximize() as Intl.Locale & {
    getWeekInfo?: () => WeekInfo;
    weekInfo?: WeekInfo;
  };
  const info = full.getWeekInfo?.() ?? full.weekInfo;
  return info ? info.firstDay % 7 : firstWeekdayOf(full.region ?? "");
}

/** The first weekday of a region. */
export function firstWeekdayOf(region: string): number {
  if (SUNDAY.split(" ").includes(region)) return 0;
  return SATURDAY.split(" ").includes(region) ? 6 : 1;
}
