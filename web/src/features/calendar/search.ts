/** The calendar's part of the address. */
import type { PostState } from "@/api/queries/posts";
import { addDays, addMonths, type Day, daysFrom, monthStart, readDay, weekStart, weeksOfMonth } from "@/lib/calendar";
import { momentOf, wallOf } from "@/lib/zoned";
import { STATES } from "../posts/state";

const MORNING = 9 * 60;
const LAST_HOUR = 23 * 60;

/** The views of the calendar. */
export type View = "month" | "week" | "day" | "list";

/** All views, each with its key. */
export const VIEWS: readonly { view: View; key: string }[] = [
  { view: "month", key: "m" },
  { view: "week", key: "w" },
  { view: "day", key: "d" },
  { view: "list", key: "l" },
];

/** The month view and today are the defaults. */
export interface CalendarSearch {
  view?: View;
  date?: Day;
  state?: PostState;
  account?: string;
}

/** Parses the address; unknown values are left out. */
export function readCalendar(search: Record<string, unknown>): CalendarSearch {
  const { view, state, account } = search;
  const date = readDay(search.date);
  return {
    ...(view !== "month" && VIEWS.some((one) => one.view === view) ? { view: view as View } : {}),
    ...(date ? { date } : {}),
    ...(STATES.includes(state as PostState) ? { state: state as PostState } : {}),
    ...(typeof account === "string" && account !== "" ? { account } : {}),
  };
}

/** Another day; today is left out of the address. */
export function withDate(search: CalendarSearch, date: Day, today: Day): CalendarSearch {
  const { date: _, ...rest } = search;
  return date === today ? rest : { ...rest, date };
}

/** Another view; the month is left out of the address. */
export function withView(search: CalendarSearch, view: View): CalendarSearch {
  const { view: _, ...rest } = search;
  return view === "month" ? rest : { ...rest, view };
}

/** The days of a view, and the first days of their weeks. */
export function shownDays(view: View, date: Day, first: number): { days: Day[]; weeks: Day[] } {
  if (view === "day") return { days: [date], weeks: [weekStart(date, first)] };
  if (view === "week") return { days: daysFrom(weekStart(date, first), 7), weeks: [weekStart(date, first)] };
  const weeks = weeksOfMonth(date, first);
  if (view === "month") return { days: weeks.flatMap((start) => daysFrom(start, 7)), weeks };
  const start = monthStart(date);
  return { days: daysFrom(start, 31).filter((day) => day < addMonths(start, 1)), weeks };
}

/** The day of the previous (-1) or the next (1) period. */
export function stepped(view: View, date: Day, direction: 1 | -1): Day {
  if (view === "day") return addDays(date, direction);
  if (view === "week") return addDays(date, direction * 7);
  return addMonths(monthStart(date), direction);
}

/** The time of a new post: the chosen time, or the morning or the next hour of the chosen day. */
export function newMoment(day: Day, minutes: number | null, now: number, zone: string): number {
  const clock = wallOf(now, zone);
  const next = clock.day === day ? Math.min(LAST_HOUR, (Math.floor(clock.minutes / 60) + 1) * 60) : 0;
  return momentOf({ day, minutes: minutes ?? Math.max(MORNING, next) }, zone).at;
}
