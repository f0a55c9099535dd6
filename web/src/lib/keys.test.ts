import { expect, test } from "vitest";
import { shortcutReader } from "./keys";

const SHORTCUTS = ["/", "g p", "g h"];

test("single keys and pairs of keys are distinguished", () => {
  const read = shortcutReader(SHORTCUTS);
  expect(read("/", 0)).toBe("/");
  expect(read("g", 10)).toBeNull();
  expect(read("p", 200)).toBe("g p");
  expect(read("p", 300)).toBeNull();
});

test("a pair that comes too slowly is none", () => {
  const read = shortcutReader(SHORTCUTS);
  read("g", 0);
  expect(read("h", 5000)).toBeNull();
});
