// biome-ignore-all lint/a11y/useSemanticElements: no table shares the height of the window among its rows as these grids do.
// biome-ignore-all lint/a11y/useFocusableInteractive: the buttons in the cells have the focus, one of them at a time.
import { Plus } from "lucide-react";
import { memo, type RefObject, useLayoutEffect, useState } from "react";
import { type Day, daysFrom, isSameMonth } from "@/lib/calendar";
import { dayName, dayNumber, monthName, weekdayName } from "@/lib/dates";
import { calendar } from "@/strings/calendar";
import { Chip, MoreButton } from "./chip";
import { ChangeMark } from "./clocks";
import type { Item, ItemsAt } from "./items";

interface Props {
  grid: RefObject<HTMLDivElement | null>;
  weeks: readonly Day[];
  at: ItemsAt;
  month: Day;
  today: Day;
  zone: string;
}

/** In rem: the line of a day's number with its padding, and a post with the gap below it. */
const HEAD_REM = 2.125;
const CHIP_REM = 1.5;
/** The number of posts of a day until its height is known. */
const FIRST_FIT = 3;

/** A month as rows of weeks; a day shows as many posts as fit, and a link to the rest. */
export function Month({ grid, weeks, at, month, today, zone }: Props) {
  const fit = useFit(grid, weeks.length);
  return (
    <div
      ref={grid}
      role="grid"
      aria-label={monthName(month)}
      data-days=""
      className="relative flex min-h-0 flex-1 flex-col overflow-y-auto rounded-xl border border-line bg-surface"
    >
      <div role="row" className="sticky top-0 z-10 grid shrink-0 grid-cols-7 border-line border-b bg-surface">
        {daysFrom(weeks[0] ?? today, 7).map((day) => (
          <div key={day} role="columnheader" className="px-2 py-1.5 font-medium text-soft text-xs">
            {weekdayName(day)}
          </div>
        ))}
      </div>
      {weeks.map((week) => (
        <div
          key={week}
          role="row"
          className="grid min-h-24 flex-1 grid-cols-7 border-line border-b [&:nth-last-child(2)]:border-b-0"
        >
          {daysFrom(week, 7).map((day) => (
            <Cell
              key={day}
              day={day}
              items={at(day)}
              fit={fit}
              isOutside={!isSameMonth(day, month)}
              isToday={day === today}
              isPast={day < today}
              zone={zone}
            />
          ))}
        </div>
      ))}
      <Target />
    </div>
  );
}

/** The target of the moved post. It is placed without rendering the days again. */
export function Target() {
  return (
    <div
      data-target=""
      hidden
      aria-hidden
      className="pointer-events-none absolute top-0 left-0 z-20 overflow-hidden rounded-md border-2 border-accent bg-accent/10 px-1.5 py-0.5 font-medium text-accent text-xs will-change-transform"
    />
  );
}

/** How many posts fit in the height of a day. */
function useFit(grid: RefObject<HTMLDivElement | null>, weeks: number): number {
  const [fit, setFit] = useState(FIRST_FIT);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number of weeks has other heights.
  useLayoutEffect(() => {
    const measured = grid.current;
    if (!measured) return;
    const measure = () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const rows = [...measured.querySelectorAll<HTMLElement>("[role=row]")].slice(1);
      const height = Math.min(...rows.map((row) => row.clientHeight));
      setFit(Math.max(1, Math.floor((height / rem - HEAD_REM) / CHIP_REM)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [grid, weeks]);
  return fit;
}

interface CellProps {
  day: Day;
  items: readonly Item[] | null;
  fit: number;
  isOutside: boolean;
  isToday: boolean;
  isPast: boolean;
  zone: string;
}

const Cell = memo(function Cell({ day, items, fit, isOutside, isToday, isPast, zone }: CellProps) {
  const all = items ?? [];
  const shown = all.length > fit ? all.slice(0, fit - 1) : all;
  const name = dayName(day);
  const hidden = all.length - shown.length;
  return (
    <div
      role="gridcell"
      data-day={day}
      aria-current={isToday ? "date" : undefined}
      className={`group flex min-w-0 flex-col border-line p-1 not-last:border-r ${isOutside ? "bg-canvas" : ""}`}
    >
      <div className="flex h-6 shrink-0 items-center overflow-hidden">
        <button
          type="button"
          data-open-day={day}
          data-stop={day}
          tabIndex={-1}
          aria-label={calendar.openDay(name, all.length)}
          className={`flex h-6 min-w-6 shrink-0 items-center justify-center whitespace-nowrap rounded-full px-1.5 text-xs tabular-nums ${isToday ? "bg-accent font-semibold text-on-accent hover:bg-accent-hover" : `hover:bg-hover ${isOutside || isPast ? "text-soft" : "font-medium"}`}`}
        >
          {dayNumber(day)}
        </button>
        <ChangeMark day={day} zone={zone} />
        {!isPast && (
          <button
            type="button"
            data-new={day}
            data-stop={day}
            tabIndex={-1}
            aria-label={calendar.newAt(name)}
            className="ml-auto flex size-6 shrink-0 items-center justify-center rounded-md text-soft opacity-0 hover:bg-hover hover:text-ink focus-visible:opacity-100 group-hover:opacity-100"
          >
            <Plus aria-hidden className="size-3.5" />
          </button>
        )}
      </div>
      {items === null && <Waiting />}
      {shown.length > 0 && (
        <ul className="mt-0.5 grid gap-0.5">
          {shown.map((item) => (
            <li key={item.post.id} className="h-[1.375rem] min-w-0">
              <Chip item={item} zone={zone} />
            </li>
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <div className="mt-0.5 h-[1.375rem]">
          <MoreButton day={day} text={calendar.more(hidden)} label={calendar.moreOf(hidden, name)} />
        </div>
      )}
    </div>
  );
});

/** The placeholder of a day while its posts load. */
function Waiting() {
  return (
    <div aria-busy className="mt-1 grid animate-pulse gap-1">
      <div className="h-5 rounded-md bg-sunken" />
      <div className="h-5 w-2/3 rounded-md bg-sunken" />
    </div>
  );
}
