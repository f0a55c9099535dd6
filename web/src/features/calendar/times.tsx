// biome-ignore-all lint/a11y/useSemanticElements: no table shares the height of the window among its rows as these grids do.
// biome-ignore-all lint/a11y/useFocusableInteractive: the buttons in the cells have the focus, one of them at a time.
import { memo, type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Day } from "@/lib/calendar";
import { clock, dayName, offsetName, rangeName, shortClock, weekdayName } from "@/lib/dates";
import { intoLanes } from "@/lib/lanes";
import { startOf, wallOf } from "@/lib/zoned";
import { calendar } from "@/strings/calendar";
import { Chip, MoreButton } from "./chip";
import { ChangeBand, ChangeMark } from "./clocks";
import type { Item, ItemsAt } from "./items";
import { Target } from "./month";
import { useNow } from "./now";
import { SHOWN_MINUTES } from "./surface";

interface Props {
  grid: RefObject<HTMLDivElement | null>;
  days: readonly Day[];
  at: ItemsAt;
  today: Day;
  zone: string;
}

/** In rem: the least width of a post. */
const LEAST_LANE_REM = 3;
/** The hour at the top at first. */
const FIRST_HOUR = 7;
const HOURS = Array.from({ length: 23 }, (_, hour) => hour + 1);

/** Days as columns of hours: a week, or one day. */
export function Times({ grid, days, at, today, zone }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const lanes = useLanes(scroller, days.length);
  const start = days[0] ?? today;
  useFirstHour(scroller);
  const columns = { gridTemplateColumns: `3.75rem repeat(${days.length}, minmax(0, 1fr))` };
  return (
    <div
      ref={grid}
      role="grid"
      aria-label={days.length === 1 ? dayName(start, true) : rangeName(start, days.at(-1) ?? start)}
      data-times=""
      className="flex min-h-0 flex-1 flex-col overflow-hidden rounded-xl border border-line bg-surface"
    >
      <div role="row" className="grid shrink-0 border-line border-b pr-[var(--bar)]" style={columns}>
        <span aria-hidden className="self-end px-2 pb-1.5 text-right text-soft text-xs">
          {offsetName(startOf(start, zone), zone)}
        </span>
        {days.map((day) => (
          <Heading
            key={day}
            day={day}
            count={at(day)?.length ?? 0}
            isOne={days.length === 1}
            isToday={day === today}
            zone={zone}
          />
        ))}
      </div>
      <div
        ref={scroller}
        role="rowgroup"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it must be scrollable with the keyboard.
        tabIndex={0}
        aria-label={calendar.allDay}
        className="relative min-h-0 flex-1 overflow-y-auto -outline-offset-2"
      >
        <div role="row" className="relative grid h-[78rem]" style={columns}>
          <Hours />
          {days.map((day) => (
            <Column
              key={day}
              day={day}
              items={at(day)}
              lanes={lanes}
              isOne={days.length === 1}
              isToday={day === today}
              isPast={day < today}
              zone={zone}
            />
          ))}
          <Target />
        </div>
      </div>
    </div>
  );
}

function Hours() {
  return (
    <div aria-hidden className="relative">
      {HOURS.map((hour) => (
        <span
          key={hour}
          style={{ top: `${(hour / 24) * 100}%` }}
          className="-translate-y-1/2 absolute right-2 text-soft text-xs tabular-nums"
        >
          {shortClock(hour * 60)}
        </span>
      ))}
    </div>
  );
}

interface HeadingProps {
  day: Day;
  count: number;
  /** Whether it is the only day: then its links lead to the list. */
  isOne: boolean;
  isToday: boolean;
  zone: string;
}

function Heading({ day, count, isOne, isToday, zone }: HeadingProps) {
  return (
    <div role="columnheader" className="flex flex-wrap items-center gap-x-1.5 border-line border-l px-2 py-1.5">
      <button
        type="button"
        data-open-day={day}
        data-stop={day}
        tabIndex={-1}
        aria-current={isToday ? "date" : undefined}
        aria-label={(isOne ? calendar.openList : calendar.openDay)(dayName(day), count)}
        className="-ml-1 flex items-baseline gap-1.5 rounded-md px-1 hover:bg-hover"
      >
        <span className="font-medium text-soft text-xs">{weekdayName(day)}</span>
        <span
          className={`flex h-7 min-w-7 items-center justify-center rounded-full px-1 font-semibold text-base tabular-nums ${isToday ? "bg-accent text-on-accent" : ""}`}
        >
          {Number(day.slice(8))}
        </span>
      </button>
      <ChangeMark day={day} zone={zone} />
    </div>
  );
}

interface ColumnProps {
  day: Day;
  items: readonly Item[] | null;
  lanes: number;
  isOne: boolean;
  isToday: boolean;
  isPast: boolean;
  zone: string;
}

/** Lines at the hours, fainter ones between them. */
const LINES =
  "bg-[linear-gradient(to_bottom,var(--line)_1px,transparent_1px)] bg-[length:100%_3.25rem] bg-[position:0_-1px]";

const Column = memo(function Column({ day, items, lanes, isOne, isToday, isPast, zone }: ColumnProps) {
  const { spots, rests } = useMemo(
    () => intoLanes(items ?? [], ({ minutes }) => minutes, SHOWN_MINUTES, lanes),
    [items, lanes],
  );
  const name = dayName(day);
  return (
    <div
      role="gridcell"
      data-day={day}
      data-over={isPast ? "" : undefined}
      aria-label={name}
      className={`relative border-line border-l ${LINES} ${isPast ? "bg-canvas" : "cursor-cell"}`}
    >
      <ChangeBand day={day} zone={zone} />
      {items === null && (
        <div aria-busy className="absolute inset-x-1 top-[40%] h-6 animate-pulse rounded-md bg-sunken" />
      )}
      <div
        data-slot=""
        hidden
        aria-hidden
        className="pointer-events-none absolute inset-x-px h-[1.625rem] rounded-md bg-accent-soft px-1.5 py-1 text-accent text-xs leading-4"
      />
      {isToday && <NowLine zone={zone} />}
      {spots.map(({ one, start, lane, span, lanes }) => (
        <div
          key={one.post.id}
          className={`absolute h-[1.625rem] p-px ${isOne ? "max-w-2xl" : ""}`}
          style={boxOf(start, lane, span, lanes)}
        >
          <Chip item={one} zone={zone} isPlaced />
        </div>
      ))}
      {rests.map(({ ones, start, lane, lanes }) => (
        <div key={start} className="absolute h-[1.625rem] p-px" style={boxOf(start, lane, 1, lanes)}>
          <MoreButton
            day={day}
            text={calendar.few(ones.length)}
            label={(isOne ? calendar.moreOfList : calendar.moreOf)(ones.length, `${name}, ${clock(start)}`)}
          />
        </div>
      ))}
    </div>
  );
});

const boxOf = (start: number, lane: number, span: number, lanes: number) => ({
  top: `${start / 14.4}%`,
  left: `${(lane / lanes) * 100}%`,
  width: `${(span / lanes) * 100}%`,
});

/** The current time: behind the posts, so that it does not cross their text. */
function NowLine({ zone }: { zone: string }) {
  const { minutes } = wallOf(useNow(), zone);
  return (
    <div
      aria-hidden
      style={{ top: `${minutes / 14.4}%` }}
      className="pointer-events-none absolute inset-x-0 h-0.5 bg-bad before:absolute before:-top-[3px] before:-left-1 before:size-2 before:rounded-full before:bg-bad"
    />
  );
}

/** The number of posts that fit side by side in a day. */
function useLanes(scroller: RefObject<HTMLDivElement | null>, days: number): number {
  const [lanes, setLanes] = useState(2);
  useLayoutEffect(() => {
    const measured = scroller.current;
    if (!measured) return;
    const measure = () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const bar = measured.offsetWidth - measured.clientWidth;
      measured.parentElement?.style.setProperty("--bar", `${bar}px`);
      const width = (measured.clientWidth / rem - 3.75) / days;
      const least = days === 1 ? LEAST_LANE_REM * 2.5 : LEAST_LANE_REM;
      setLanes(Math.max(1, Math.floor(width / least)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [scroller, days]);
  return lanes;
}

/** Scrolls to the first hour of the day. */
function useFirstHour(scroller: RefObject<HTMLDivElement | null>): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element) element.scrollTop = (element.scrollHeight * (FIRST_HOUR - 0.25)) / 24;
  }, [scroller]);
}
