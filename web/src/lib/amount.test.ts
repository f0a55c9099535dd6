import { expect, test } from "vitest";
import { bytes, fill } from "./amount";

test("bytes are shown in a fitting unit", () => {
  expect([0, 999, 1000, 12_400_000, 2e12].map(bytes)).toEqual(["0 bytes", "999 bytes", "1 kB", "12.4 MB", "2 TB"]);
});

test("what has no limit is never full, and what allows nothing always is", () => {
  expect(fill(5, null)).toBe(0);
  expect(fill(0, 0)).toBe(1);
  expect(fill(3, 4)).toBe(0.75);
  expect(fill(9, 4)).toBe(1);
});
