import { describe, expect, test } from "vitest";
import { dayOf, fromField, moved, relative, toField } from "./time";

const NOW = new Date("2026-11-22T12:00:00Z");

describe("relative times", () => {
  test("near moments are told by their distance", () => {
    expect(relative("2026-11-22T12:00:30Z", NOW)).toBe("in a moment");
    expect(relative("2026-11-22T11:59:40Z", NOW)).toBe("just now");
    expect(relative("2026-11-22T14:59:00Z", NOW)).toBe("in 2 hours");
    expect(relative("2026-11-21T11:00:00Z", NOW)).toBe("yesterday");
  });
  test("far moments are told by their date", () => {
    expect(relative("2026-12-24T12:00:00Z", NOW)).toContain("2026");
  });
});

test("a field and a moment turn into one another", () => {
  const moment = new Date(2026, 10, 22, 9, 5);
  expect(toField(moment)).toBe("2026-11-22T09:05");
  expect(fromField("2026-11-22T09:05")).toBe(moment.toISOString());
  expect(fromField("")).toBeNull();
  expect(fromField("soon")).toBeNull();
});

test("a day begins and ends at midnight", () => {
  const { start, end } = dayOf(new Date(2026, 10, 30, 15, 0));
  expect(new Date(start).getHours()).toBe(0);
  expect(new Date(end).getDate()).toBe(1);
});

test("moving by days keeps the time of day, also over a month's end", () => {
  const from = new Date(2026, 9, 30, 18, 30).toISOString();
  expect(toField(new Date(moved(from, 3, 0)))).toBe("2026-11-02T18:30");
  expect(toField(new Date(moved(from, 0, -2)))).toBe("2026-10-30T16:30");
});
