/** Lists whose order people change. */

/** The list with what stood at `from` standing at `to`. */
export function reordered<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  const [moved] = next.splice(from, 1);
  if (moved !== undefined) next.splice(Math.max(0, Math.min(to, next.length)), 0, moved);
  return next;
}

interface Point {
  x: number;
  y: number;
}

/** The place whose middle is nearest to a point; -1 where there are none. */
export function nearest(middles: readonly Point[], { x, y }: Point): number {
  const distances = middles.map((middle) => Math.hypot(middle.x - x, middle.y - y));
  return distances.indexOf(Math.min(...distances));
}
