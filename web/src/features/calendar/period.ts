/** The shown days, from the address and the window. */
import { type Day, firstWeekday } from "@/lib/calendar";
import { dayName, monthName, rangeName } from "@/lib/dates";
import { useNarrow } from "./narrow";
import { useToday } from "./now";
import { type CalendarSearch, shownDays, stepped, type View, withDate, withView } from "./search";

/** The shown days, the view, and how to change them. */
export interface Period {
  view: View;
  date: Day;
  today: Day;
  days: readonly Day[];
  /** The first days of the weeks of these days. */
  weeks: readonly Day[];
  title: string;
  show: (day: Day, view?: View) => void;
  /** The day of the previous or the next period. */
  beside: (direction: 1 | -1) => Day;
}

const FIRST = firstWeekday(navigator.language);

/** The weeks that a view of a day shows. */
export const weeksFor = (view: View, day: Day): readonly Day[] => shownDays(view, day, FIRST).weeks;

/** Reads the period from the address, and writes changes to it. A phone always shows the list. */
export function usePeriod(search: CalendarSearch, onSearch: (search: CalendarSearch) => void, zone: string): Period {
  const today = useToday(zone);
  const isNarrow = useNarrow();
  const view = isNarrow ? "list" : (search.view ?? "month");
  const date = search.date ?? today;
  const { days, weeks } = shownDays(view, date, FIRST);
  const show = (day: Day, next: View = view) => {
    const there = withDate(search, day, today);
    onSearch(isNarrow ? there : withView(there, next));
  };
  const beside = (direction: 1 | -1) => stepped(view, date, direction);
  return { view, date, today, days, weeks, title: titleOf(view, date, days), show, beside };
}

function titleOf(view: View, date: Day, days: readonly Day[]): string {
  if (view === "day") return dayName(date, true);
  return view === "week" ? rangeName(days[0] ?? date, days.at(-1) ?? date) : monthName(date);
}
