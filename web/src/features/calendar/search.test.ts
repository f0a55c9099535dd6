import { describe, expect, test } from "vitest";
import { newMoment, readCalendar, shownDays, stepped, withDate, withView } from "./search";

test("the address is parsed, and unknown values are left out", () => {
  expect(readCalendar({ view: "week", date: "2026-11-22", state: "QUEUE", account: "7" })).toEqual({
    view: "week",
    date: "2026-11-22",
    state: "QUEUE",
    account: "7",
  });
  expect(readCalendar({ view: "year", date: "2026-02-30", state: "LOST", account: "" })).toEqual({});
  expect(readCalendar({ view: "month" })).toEqual({});
});

test("today and the month are what an address without them means", () => {
  expect(withDate({ date: "2026-11-01", state: "QUEUE" }, "2026-11-22", "2026-11-22")).toEqual({ state: "QUEUE" });
  expect(withDate({}, "2026-11-23", "2026-11-22")).toEqual({ date: "2026-11-23" });
  expect(withView({ view: "day" }, "month")).toEqual({});
  expect(withView({}, "list")).toEqual({ view: "list" });
});

describe("the days that are shown", () => {
  test("of a month all its weeks, of the list its own days", () => {
    const shown = shownDays("month", "2026-11-22", 1);
    expect([shown.days[0], shown.days.at(-1), shown.weeks.length]).toEqual(["2026-10-26", "2026-12-06", 6]);
    const list = shownDays("list", "2026-02-10", 0);
    expect([list.days[0], list.days.at(-1), list.days.length]).toEqual(["2026-02-01", "2026-02-28", 28]);
  });
  test("of a week seven, of a day one", () => {
    expect(shownDays("week", "2026-11-22", 0).days[0]).toBe("2026-11-22");
    expect(shownDays("week", "2026-11-22", 1).days[0]).toBe("2026-11-16");
    expect(shownDays("day", "2026-11-22", 1)).toEqual({ days: ["2026-11-22"], weeks: ["2026-11-16"] });
  });
});

test("a step goes to the next month, week or day", () => {
  expect(stepped("month", "2026-01-31", 1)).toBe("2026-02-01");
  expect(stepped("list", "2026-01-31", -1)).toBe("2025-12-01");
  expect(stepped("week", "2026-11-22", 1)).toBe("2026-11-29");
  expect(stepped("day", "2026-03-01", -1)).toBe("2026-02-28");
});

test("a new post goes out at the chosen time, else in the morning or the next hour", () => {
  const now = Date.parse("2026-11-22T12:20:00Z");
  const at = (day: string, minutes: number | null) =>
    new Date(newMoment(day, minutes, now, "Europe/Berlin")).toISOString();
  expect(at("2026-11-25", 930)).toBe("2026-11-25T14:30:00.000Z");
  expect(at("2026-11-25", null)).toBe("2026-11-25T08:00:00.000Z");
  expect(at("2026-11-22", null)).toBe("2026-11-22T13:00:00.000Z");
});
