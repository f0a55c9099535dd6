/** Lays out items of overlapping times side by side in a day. */

/** The position of an item: its lane, counted from 0, and how many of all `lanes` it spans. */
export interface Spot<T> {
  one: T;
  start: number;
  lane: number;
  span: number;
  lanes: number;
}

/** The items without a lane, if there are too many. */
export interface Rest<T> {
  ones: T[];
  start: number;
  lane: number;
  lanes: number;
}

const DAY_MINUTES = 1_440;

/**
 * Lays out items that start at a minute and are `length` minutes high, in at most `most` lanes. An item without overlaps has
 * the whole width; if there are too many, the last lane shows how many more there are. `all` is in order.
 */
export function intoLanes<T>(all: readonly T[], startOf: (one: T) => number, length: number, most: number) {
  const spots: Spot<T>[] = [];
  const rests: Rest<T>[] = [];
  let group: Placed<T>[] = [];
  let end = Number.NEGATIVE_INFINITY;
  const close = () => {
    const shared = share(group, length, most);
    spots.push(...shared.spots);
    rests.push(...shared.rests);
    group = [];
  };
  for (const one of all) {
    // Items of the last minutes are shown a little earlier, within the day.
    const start = Math.min(startOf(one), DAY_MINUTES - length);
    if (start >= end) close();
    group.push({ one, start, lane: 0 });
    end = start + length;
  }
  close();
  return { spots, rests };
}

interface Placed<T> {
  one: T;
  start: number;
  lane: number;
}

/** Divides the width among overlapping items. */
function share<T>(group: Placed<T>[], length: number, most: number): { spots: Spot<T>[]; rests: Rest<T>[] } {
  const ends: number[] = [];
  for (const placed of group) {
    const free = ends.findIndex((end) => end <= placed.start);
    placed.lane = free < 0 ? ends.length : free;
    ends[placed.lane] = placed.start + length;
  }
  const isTooMany = ends.length > most;
  const lanes = isTooMany ? most : ends.length;
  const shown = group.filter(({ lane }) => lane < (isTooMany ? most - 1 : lanes));
  const spots = shown.map((placed) => ({
    ...placed,
    lanes,
    span: isTooMany ? 1 : spanOf(placed, group, length, lanes),
  }));
  const hidden = isTooMany ? group.filter(({ lane }) => lane >= most - 1) : [];
  return { spots, rests: gather(hidden, length, most) };
}

/** The number of lanes that an item can span before it overlaps another. */
function spanOf<T>(placed: Placed<T>, group: Placed<T>[], length: number, lanes: number): number {
  const beside = group.filter(({ start, lane }) => lane > placed.lane && Math.abs(start - placed.start) < length);
  return Math.min(lanes, ...beside.map(({ lane }) => lane)) - placed.lane;
}

/** Groups overlapping items without a lane. */
function gather<T>(hidden: Placed<T>[], length: number, most: number): Rest<T>[] {
  const rests: Rest<T>[] = [];
  for (const { one, start } of hidden) {
    const last = rests.at(-1);
    if (last && start < last.start + length) last.ones.push(one);
    else rests.push({ ones: [one], start, lane: most - 1, lanes: most });
  }
  return rests;
}
