/** Lists that people reorder. */

/** The list with the item at `from` moved to `to`. */
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

/** The index of the centre nearest to a point; -1 if there are none. */
export function nearest(middles: readonly Point[], { x, y }: Point): number {
  const distances = middles.map((middle) => Math.hypot(middle.x - x, middle.y - y));
  return distances.indexOf(Math.min(...distances));
}
