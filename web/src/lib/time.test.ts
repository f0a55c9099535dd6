import { afterEach, describe, expect, test } from "vitest";
import { absolute, browserZone, dayOf, daysSince, fromField, moved, relative, showIn, toField, zone } from "./time";

const NOW = new Date("2026-11-22T12:00:00Z");

afterEach(() => showIn(browserZone()));

describe("relative times", () => {
  test("near moments are shown as relative times", () => {
    expect(relative("2026-11-22T12:00:30Z", NOW)).toBe("in a moment");
    expect(relative("2026-11-22T11:59:40Z", NOW)).toBe("just now");
    expect(relative("2026-11-22T14:59:00Z", NOW)).toBe("in 2 hours");
    expect(relative("2026-11-21T11:00:00Z", NOW)).toBe("yesterday");
  });
  test("far moments are shown as dates", () => {
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

test("days are counted whole, and what lies ahead is no day ago", () => {
  expect(daysSince("2026-11-21T12:00:01Z", NOW)).toBe(0);
  expect(daysSince("2026-11-21T12:00:00Z", NOW)).toBe(1);
  expect(daysSince("2026-11-08T00:00:00Z", NOW)).toBe(14);
  expect(daysSince("2026-11-23T12:00:00Z", NOW)).toBe(0);
});

describe("in the workspace's zone", () => {
  test("times are shown and read by its clocks", () => {
    showIn("America/New_York");
    expect(zone()).toBe("America/New_York");
    expect(toField(NOW)).toBe("2026-11-22T07:00");
    expect(fromField("2026-11-22T07:00")).toBe(NOW.toISOString());
    expect(absolute(NOW.toISOString())).toContain("7:00");
    showIn("Asia/Kolkata");
    expect(absolute(NOW.toISOString())).toContain("5:30");
  });
  test("the day on which clocks go back has 25 hours, and a day later is the same time of day", () => {
    showIn("America/New_York");
    expect(dayOf(new Date("2026-11-01T12:00:00Z"))).toEqual({
      start: "2026-11-01T04:00:00.000Z",
      end: "2026-11-02T05:00:00.000Z",
    });
    expect(moved("2026-10-31T16:00:00Z", 1, 0)).toBe("2026-11-01T17:00:00.000Z");
    expect(moved("2026-10-31T16:00:07.250Z", 1, 1)).toBe("2026-11-01T18:00:07.250Z");
  });
  test("a zone that the browser does not know falls back to its own", () => {
    showIn("Mars/Olympus");
    expect(zone()).toBe(browserZone());
  });
});
