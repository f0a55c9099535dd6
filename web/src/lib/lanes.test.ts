import { expect, test } from "vitest";
import { intoLanes } from "./lanes";

const place = (starts: number[], most = 3) => intoLanes(starts, (start) => start, 30, most);
const brief = (starts: number[], most?: number) =>
  place(starts, most).spots.map(({ start, lane, span, lanes }) => [start, lane, span, lanes]);

test("what meets nothing has the whole width", () => {
  expect(brief([60, 90, 600])).toEqual([
    [60, 0, 1, 1],
    [90, 0, 1, 1],
    [600, 0, 1, 1],
  ]);
});

test("overlapping items share the width, and use what the others leave free", () => {
  expect(brief([60, 60, 75])).toEqual([
    [60, 0, 1, 3],
    [60, 1, 1, 3],
    [75, 2, 1, 3],
  ]);
  expect(brief([60, 60, 70, 95])).toEqual([
    [60, 0, 1, 3],
    [60, 1, 1, 3],
    [70, 2, 1, 3],
    [95, 0, 2, 3],
  ]);
});

test("beyond the most lanes the last one shows how many more there are", () => {
  const { spots, rests } = place([60, 60, 60, 60, 65, 300]);
  expect(spots.map(({ start, lane, lanes }) => [start, lane, lanes])).toEqual([
    [60, 0, 3],
    [60, 1, 3],
    [300, 0, 1],
  ]);
  expect(rests).toEqual([{ ones: [60, 60, 65], start: 60, lane: 2, lanes: 3 }]);
});

test("a day's last minutes are shown within the day", () => {
  expect(brief([1435])).toEqual([[1410, 0, 1, 1]]);
});

test("nothing overlaps, and nothing is lost", () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let round = 0; round < 200; round += 1) {
    const starts = Array.from({ length: random(80) }, () => random(1_440)).toSorted((a, b) => a - b);
    const most = 1 + random(5);
    const { spots, rests } = place(starts, most);
    expect(spots.length + rests.reduce((sum, { ones }) => sum + ones.length, 0)).toBe(starts.length);
    const boxes = [...spots, ...rests.map((rest) => ({ ...rest, span: 1 }))].map((box) => ({
      top: box.start,
      left: box.lane / box.lanes,
      right: (box.lane + box.span) / box.lanes,
    }));
    boxes.forEach((one, index) => {
      expect(one.right).toBeLessThanOrEqual(1);
      for (const other of boxes.slice(index + 1)) {
        const isBeside = one.right <= other.left + 1e-9 || other.right <= one.left + 1e-9;
        if (!isBeside) expect(Math.abs(one.top - other.top)).toBeGreaterThanOrEqual(30);
      }
    });
  }
});
