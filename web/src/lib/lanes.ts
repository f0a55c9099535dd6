/** How what is shown at about the same time shares the width of a day. */

/** The place of one of them: lanes count from 0, and it reaches over `span` of all `lanes`. */
export interface Spot<T> {
  one: T;
  start: number;
  lane: number;
  span: number;
  lanes: number;
}

/** Where not all have a lane: those that have none. */
export interface Rest<T> {
  ones: T[];
  start: number;
  lane: number;
  lanes: number;
}

const DAY_MINUTES = 1_440;

/**
 * Puts things that begin at some minute and are shown `length` minutes long side by side, in at most `most` lanes. What
 * meets none of the others has the whole width; where there are too many, the last lane tells how many more there are.
 * `all` is in order.
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
    // The last minutes of a day are shown a little earlier than they are: the day is not longer.
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

/** Shares the width among those that meet one another. */
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

/** Over how many lanes something reaches before it meets another. */
function spanOf<T>(placed: Placed<T>, group: Placed<T>[], length: number, lanes: number): number {
  const beside = group.filter(({ start, lane }) => lane > placed.lane && Math.abs(start - placed.start) < length);
  return Math.min(lanes, ...beside.map(({ lane }) => lane)) - placed.lane;
}

/** Puts those without a lane together, as far as they meet. */
function gather<T>(hidden: Placed<T>[], length: number, most: number): Rest<T>[] {
  const rests: Rest<T>[] = [];
  for (const { one, start } of hidden) {
    const last = rests.at(-1);
    if (last && start < last.start + length) last.ones.push(one);
    else rests.push({ ones: [one], start, lane: most - 1, lanes: most });
  }
  return rests;
}
