/** The posts of weeks, by day. */
import { useRef } from "react";
import type { Schemas } from "@/api/client";
import { momentOfPost, type Range, usePostRanges } from "@/api/queries/calendar";
import { addDays, type Day, daysBetween, weekday, weekStart } from "@/lib/calendar";
import { startOf, wallOf } from "@/lib/zoned";
import { moving } from "@/strings/calendar";
import type { CalendarSearch } from "./search";

type Post = Schemas["Post"];

/** A post and its place in the calendar. */
export interface Item {
  post: Post;
  at: number;
  day: Day;
  minutes: number;
}

/** The posts of a day in order; null while they are not loaded. */
export type ItemsAt = (day: Day) => readonly Item[] | null;

/** The posts of an empty day: always the same array, so that the day is not rendered again. */
const NONE: readonly Item[] = [];

/** Why a post cannot be moved; null if it can. */
export function whyStuck({ state, scheduledFor }: Post): string | null {
  return state === "QUEUE" && scheduledFor !== null ? null : moving.stuck[state];
}

/** The number of days of one request: a month takes few requests, which run in parallel. */
const SPAN_DAYS = 21;
/** Spans are counted from the first day of this day's week. */
const ORIGIN = "2024-01-13";

/** The first day of the span of a week. Spans are the same in every month, and so are their cached posts. */
function spanOf(week: Day): Day {
  const origin = weekStart(ORIGIN, weekday(week));
  return addDays(origin, Math.floor(daysBetween(origin, week) / SPAN_DAYS) * SPAN_DAYS);
}

const spansOf = (weeks: readonly Day[]): Day[] => [...new Set(weeks.map(spanOf))];

const rangeOf = (span: Day, zone: string): Range => ({
  start: new Date(startOf(span, zone)).toISOString(),
  end: new Date(startOf(addDays(span, SPAN_DAYS), zone)).toISOString(),
});

/** The API's ranges of some weeks. */
export const rangesOf = (weeks: readonly Day[], zone: string): Range[] =>
  spansOf(weeks).map((span) => rangeOf(span, zone));

type Days = ReadonlyMap<Day, readonly Item[]>;

interface Kept {
  posts: readonly Post[];
  filter: string;
  days: Days;
}

/** The loaded posts of some weeks by day, and the state of the requests. */
export function useItems(weeks: readonly Day[], { state, account }: CalendarSearch, zone: string) {
  const spans = spansOf(weeks);
  const results = usePostRanges(spans.map((span) => rangeOf(span, zone)));
  const kept = useRef(new Map<Day, Kept>());
  const filter = `${zone} ${state} ${account}`;
  const loaded = new Map<Day, Days>();
  spans.forEach((span, index) => {
    const posts = results[index]?.data;
    if (!posts) return;
    const before = kept.current.get(span);
    const isSame = before?.posts === posts && before.filter === filter;
    const days = isSame ? before.days : byDay(posts.filter(isWanted(state, account)), zone);
    kept.current.set(span, { posts, filter, days });
    loaded.set(span, days);
  });
  const first = weekday(weeks[0] ?? ORIGIN);
  const at: ItemsAt = (day) => {
    const days = loaded.get(spanOf(weekStart(day, first)));
    return days ? (days.get(day) ?? NONE) : null;
  };
  const failed = results.filter(({ isError, data }) => isError && !data);
  return {
    at,
    find: (id: string) => findItem(loaded, id),
    error: failed[0]?.error ?? null,
    retry: () => {
      for (const { refetch } of failed) void refetch();
    },
    isLoading: results.some(({ isPending }) => isPending),
  };
}

const isWanted =
  (state: CalendarSearch["state"], account: CalendarSearch["account"]) =>
  (post: Post): boolean =>
    (!state || post.state === state) && (!account || post.integrationId === account);

function byDay(posts: readonly Post[], zone: string): Days {
  const days = new Map<Day, Item[]>();
  for (const post of posts) {
    const at = momentOfPost(post);
    const { day, minutes } = wallOf(at, zone);
    const items = days.get(day);
    if (items) items.push({ post, at, day, minutes });
    else days.set(day, [{ post, at, day, minutes }]);
  }
  return days;
}

function findItem(loaded: ReadonlyMap<Day, Days>, id: string): Item | undefined {
  for (const days of loaded.values()) {
    for (const items of days.values()) {
      const found = items.find(({ post }) => post.id === id);
      if (found) return found;
    }
  }
  return undefined;
}
