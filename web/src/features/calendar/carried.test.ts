import { expect, test } from "vitest";
import { type Carried, carriedBy } from "./carried";

const item = { at: 0, day: "2026-11-22", minutes: 547 } as Carried["item"];
const by = (key: string, day: string, minutes: number | null) => carriedBy(key, { item, target: { day, minutes } });

test("in a month the arrows lead by days and weeks, and the time of day stays", () => {
  expect(by("ArrowRight", "2026-11-30", null)).toEqual({ day: "2026-12-01", minutes: null });
  expect(by("ArrowUp", "2026-11-22", null)).toEqual({ day: "2026-11-15", minutes: null });
  expect(by("ArrowDown", "2026-11-22", null)).toEqual({ day: "2026-11-29", minutes: null });
});

test("in a week they lead by quarters of an hour, over midnight too", () => {
  expect(by("ArrowDown", "2026-11-22", 547)).toEqual({ day: "2026-11-22", minutes: 555 });
  expect(by("ArrowUp", "2026-11-22", 547)).toEqual({ day: "2026-11-22", minutes: 540 });
  expect(by("ArrowDown", "2026-11-22", 555)).toEqual({ day: "2026-11-22", minutes: 570 });
  expect(by("ArrowDown", "2026-11-22", 1425)).toEqual({ day: "2026-11-23", minutes: 0 });
  expect(by("ArrowUp", "2026-11-22", 0)).toEqual({ day: "2026-11-21", minutes: 1425 });
  expect(by("ArrowLeft", "2026-11-22", 547)).toEqual({ day: "2026-11-21", minutes: 547 });
});

test("other keys lead nowhere", () => {
  expect(by("a", "2026-11-22", null)).toBeNull();
});
