import { memo, useEffect, useRef, useState } from "react";
import type { Day } from "@/lib/calendar";
import { dayName } from "@/lib/dates";
import { calendar } from "@/strings/calendar";
import { postWords } from "@/strings/posts";
import { Initials } from "@/ui/parts";
import { useAccountName } from "../accounts/names";
import { LOOKS, StateBadge } from "../posts/state";
import { timeOf } from "./chip";
import { ChangeNote } from "./clocks";
import type { Item, ItemsAt } from "./items";

interface Props {
  days: readonly Day[];
  /** The first day, if it has posts. */
  date: Day;
  at: ItemsAt;
  today: Day;
  zone: string;
  onOpen: (id: string, element: HTMLElement) => void;
}

/** The distance from the viewport at which a day's posts are rendered. */
const AHEAD = "800px";
const ROW_REM = 3.5;

/** The days that have posts, as a list. It starts with the requested day. */
export function List({ days, date, at, today, zone, onOpen }: Props) {
  const shown = days.map((day) => ({ day, items: at(day) ?? [] }));
  const filled = shown.filter(({ day, items }) => items.length > 0 || day === today);
  const list = useRef<HTMLDivElement>(null);
  const begun = useRef<Day>(undefined);
  useEffect(() => {
    if (begun.current === date) return;
    begun.current = date;
    const anchor = filled.findIndex(({ day }) => day >= date);
    // Earlier days are above; a month that begins with this day starts at its top.
    if (anchor > 0) scrollToDay(filled[anchor]?.day ?? date);
    else list.current?.scrollTo(0, 0);
    if (anchor <= 0) window.scrollTo(0, 0);
  });
  return (
    <div ref={list} className="min-h-0 flex-1 md:overflow-y-auto md:rounded-xl md:border md:border-line md:bg-surface">
      {filled.map(({ day, items }) => (
        <Section key={day} day={day} items={items} isToday={day === today} zone={zone} onOpen={onOpen} />
      ))}
    </div>
  );
}

/** Scrolls the list to a day, if it is in it. */
export const scrollToDay = (day: Day): void =>
  document.querySelector(`[data-section="${day}"]`)?.scrollIntoView({ block: "start" });

interface SectionProps {
  day: Day;
  items: readonly Item[];
  isToday: boolean;
  zone: string;
  onOpen: (id: string, element: HTMLElement) => void;
}

const Section = memo(function Section({ day, items, isToday, zone, onOpen }: SectionProps) {
  const [section, isNear] = useNear();
  const nameOf = useAccountName();
  return (
    <section
      ref={section}
      data-section={day}
      aria-label={dayName(day)}
      className="scroll-mt-14 border-line not-first:border-t md:scroll-mt-0"
    >
      <div className="sticky top-14 z-10 flex flex-wrap items-center gap-x-3 gap-y-0.5 bg-canvas py-2 md:top-0 md:bg-surface md:px-4">
        <h2 className={`font-semibold ${isToday ? "text-accent" : ""}`}>{dayName(day)}</h2>
        {isToday && <span className="font-medium text-accent text-xs">{calendar.today}</span>}
        <span className="text-soft text-xs tabular-nums">{items.length > 0 && calendar.dayCount(items.length)}</span>
        <ChangeNote day={day} zone={zone} />
      </div>
      {items.length === 0 && <p className="pb-3 text-soft md:px-4">{calendar.nothing.day}</p>}
      {isNear ? (
        <ul>
          {items.map((item) => (
            <Row key={item.post.id} item={item} zone={zone} account={nameOf(item.post.integrationId)} onOpen={onOpen} />
          ))}
        </ul>
      ) : (
        <div style={{ height: `${items.length * ROW_REM}rem` }} />
      )}
    </section>
  );
});

interface RowProps {
  item: Item;
  zone: string;
  account: string;
  onOpen: (id: string, element: HTMLElement) => void;
}

const Row = memo(function Row({ item, zone, account, onOpen }: RowProps) {
  const { post } = item;
  const { icon: Icon } = LOOKS[post.state];
  return (
    <li className="h-14">
      <button
        type="button"
        data-post={post.id}
        aria-haspopup="dialog"
        onClick={(event) => onOpen(post.id, event.currentTarget)}
        className="flex h-full w-full items-center gap-3 rounded-lg text-left -outline-offset-2 transition-colors hover:bg-hover md:rounded-none md:px-4"
      >
        <time
          dateTime={new Date(item.at).toISOString()}
          className="w-[4.5rem] shrink-0 text-right text-soft tabular-nums md:w-20"
        >
          {timeOf(item, zone)}
        </time>
        <Initials name={account || "·"} />
        <span className="min-w-0 flex-1">
          <span className={`block truncate font-medium ${post.content ? "" : "text-soft"}`}>
            {post.content || postWords.noCaption}
          </span>
          <span className="block truncate text-soft text-xs">{account}</span>
        </span>
        <span className="max-sm:hidden">
          <StateBadge state={post.state} />
        </span>
        <span className="shrink-0 sm:hidden">
          <Icon aria-hidden className={`size-4 ${TONES[post.state]}`} />
          <span className="sr-only">{postWords.states[post.state]}</span>
        </span>
      </button>
    </li>
  );
});

const TONES = {
  DRAFT: "text-soft",
  QUEUE: "text-info",
  PUBLISHED: "text-good",
  ACTION_REQUIRED: "text-warn",
  ERROR: "text-bad",
} as const;

/** Whether an element is in or near the viewport; once true, it stays true. */
function useNear() {
  const element = useRef<HTMLElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        setNear(true);
        observer.disconnect();
      },
      { rootMargin: AHEAD },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, isNear] as const;
}
