import { expect, test } from "vitest";
import { nearest, reordered } from "./reorder";

test("what is moved stands where it was put, and nothing is lost", () => {
  const list = ["a", "b", "c", "d"];
  expect(reordered(list, 0, 2)).toEqual(["b", "c", "a", "d"]);
  expect(reordered(list, 3, 0)).toEqual(["d", "a", "b", "c"]);
  expect(reordered(list, 1, 99)).toEqual(["a", "c", "d", "b"]);
  expect(reordered(list, 9, 0)).toEqual(list);
  expect(list).toEqual(["a", "b", "c", "d"]);
});

test("the nearest place is found in lines that wrap", () => {
  const middles = [
    { x: 50, y: 50 },
    { x: 150, y: 50 },
    { x: 50, y: 200 },
  ];
  expect(nearest(middles, { x: 90, y: 60 })).toBe(0);
  expect(nearest(middles, { x: 60, y: 160 })).toBe(2);
  expect(nearest([], { x: 0, y: 0 })).toBe(-1);
});
