import { describe, expect, test } from "vitest";
import {
  addDays,
  addMonths,
  daysBetween,
  daysFrom,
  firstWeekday,
  firstWeekdayOf,
  readDay,
  weekday,
  weekStart,
  weeksOfMonth,
} from "./calendar";

/** Every day of five years that include a leap day. */
const DAYS = daysFrom("2024-01-01", 5 * 365 + 2);

test("days follow one another, and counting them is the reverse of adding them", () => {
  DAYS.forEach((day, index) => {
    expect(daysBetween("2024-01-01", day)).toBe(index);
    expect(addDays(day, -index)).toBe("2024-01-01");
    expect(weekday(day)).toBe((1 + index) % 7);
    expect(readDay(day)).toBe(day);
  });
});

test("leap days are there when they are", () => {
  expect(addDays("2028-02-28", 1)).toBe("2028-02-29");
  expect(addDays("2027-02-28", 1)).toBe("2027-03-01");
  expect(readDay("2028-02-29")).toBe("2028-02-29");
  expect(readDay("2027-02-29")).toBeNull();
  expect(addMonths("2028-02-29", 12)).toBe("2029-02-28");
});

test("what is no day is none", () => {
  for (const text of ["", "2026-13-01", "2026-2-1", "soon", "2026-11-22T00:00", "9999-01-01", 20261122, undefined]) {
    expect(readDay(text), String(text)).toBeNull();
  }
});

describe("months", () => {
  test("the same day of another month, or its last", () => {
    expect(addMonths("2026-01-31", 1)).toBe("2026-02-28");
    expect(addMonths("2026-03-31", -1)).toBe("2026-02-28");
    expect(addMonths("2026-12-05", 1)).toBe("2027-01-05");
    expect(addMonths("2026-01-05", -13)).toBe("2024-12-05");
  });
  test("their weeks hold every day of them, and begin where weeks begin", () => {
    for (const day of DAYS) {
      for (const first of [0, 1, 6]) {
        const weeks = weeksOfMonth(day, first);
        const last = addDays(weeks.at(-1) ?? "", 6);
        expect(weeks.every((start) => weekday(start) === first)).toBe(true);
        expect(weeks.length).toBeLessThanOrEqual(6);
        expect(weeks[0] && weeks[0] <= day && day <= last).toBe(true);
        expect(weekStart(day, first) <= day && day <= addDays(weekStart(day, first), 6)).toBe(true);
      }
    }
  });
  test("a February of four weeks has four", () => {
    expect(weeksOfMonth("2027-02-10", 1)).toEqual(["2027-02-01", "2027-02-08", "2027-02-15", "2027-02-22"]);
  });
});

test("weeks begin where the language's region begins them", () => {
  const known = { "en-US": 0, en: 0, "en-GB": 1, de: 1, "pt-BR": 0, "ar-EG": 6, "he-IL": 0, "fr-CA": 0, "en-AU": 1 };
  for (const [locale, first] of Object.entries(known)) expect(firstWeekday(locale), locale).toBe(first);
});

test("the table for browsers without week data agrees with the data of others", () => {
  for (const region of ["US", "GB", "DE", "BR", "EG", "IL", "CA", "FR", "JP", "IN", "SA", "DZ", "PT", "MX"]) {
    expect(firstWeekdayOf(region), region).toBe(firstWeekday(`und-${region}`));
  }
});
