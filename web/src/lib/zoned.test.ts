import { describe, expect, test } from "vitest";
import { addDays, daysFrom } from "./calendar";
import { changeOn, momentOf, offsetAt, readWall, startOf, wallField, wallOf } from "./zoned";

const HOUR = 3_600_000;
const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Cairo"];
const at = (text: string) => Date.parse(text);
const iso = (moment: number) => new Date(moment).toISOString();

describe.each(ZONES)("in %s", (zone) => {
  test("every quarter of an hour of two years is found again from what the clocks showed", () => {
    for (let moment = at("2026-01-01T00:00Z"); moment < at("2028-01-01T00:00Z"); moment += HOUR / 4) {
      const { at: first, second, kind } = momentOf(wallOf(moment, zone), zone);
      if (first !== moment && second !== moment) expect.fail(`${iso(moment)}: ${kind} ${iso(first)}`);
    }
  });
  test("each day begins where the one before ends, after 23 to 25 hours", () => {
    for (const day of daysFrom("2026-01-01", 730)) {
      const start = startOf(day, zone);
      expect(wallOf(start, zone).day).toBe(day);
      expect(wallOf(start - 1, zone).day).toBe(addDays(day, -1));
      const hours = (startOf(addDays(day, 1), zone) - start) / HOUR;
      const change = changeOn(day, zone);
      expect(hours).toBe(24 - (change ? (change.to - change.from) / 60 : 0));
    }
  });
  test("the offsets are those that Intl names", () => {
    const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
    for (const day of daysFrom("2026-01-01", 400)) {
      const moment = at(`${day}T01:00Z`);
      const [, sign = "+", hours = "0", minutes = "0"] = /GMT([+-])?(\d\d)?:?(\d\d)?/.exec(format.format(moment)) ?? [];
      const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === "-" ? -1 : 1);
      expect(offsetAt(moment, zone) + 0, day).toBe(offset + 0);
    }
  });
});

describe("clock changes", () => {
  test.each([
    ["Europe/Berlin", "2026-03-29", "2026-03-29T01:00:00.000Z", 120, 180],
    ["Europe/Berlin", "2026-10-25", "2026-10-25T01:00:00.000Z", 180, 120],
    ["America/New_York", "2026-03-08", "2026-03-08T07:00:00.000Z", 120, 180],
    ["America/New_York", "2026-11-01", "2026-11-01T06:00:00.000Z", 120, 60],
    ["Australia/Lord_Howe", "2026-10-04", "2026-10-03T15:30:00.000Z", 120, 150],
    ["Australia/Lord_Howe", "2026-04-05", "2026-04-04T15:00:00.000Z", 120, 90],
    ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00.000Z", 0, 60],
    ["Africa/Cairo", "2026-10-29", "2026-10-29T21:00:00.000Z", 1440, 1380],
  ])("%s changes its clocks on %s", (zone, day, moment, from, to) => {
    const change = changeOn(day, zone);
    expect(change && { ...change, at: iso(change.at) }).toEqual({ at: moment, from, to });
    expect(changeOn(addDays(day, 1), zone)).toBeNull();
    expect(changeOn(addDays(day, -1), zone)).toBeNull();
  });

  test.each([
    ["Europe/Berlin", "2026-03-29", "2026-03-29T01:30:00.000Z", 210],
    ["America/New_York", "2026-03-08", "2026-03-08T07:30:00.000Z", 210],
    ["Australia/Lord_Howe", "2026-10-04", "2026-10-03T15:45:00.000Z", 165],
  ])("a time that %s skips on %s is as much later as the clocks go forward", (zone, day, moment, minutes) => {
    const minutesBefore = zone === "Australia/Lord_Howe" ? 135 : 150;
    const local = momentOf({ day, minutes: minutesBefore }, zone);
    expect(local).toEqual({ kind: "gap", at: at(moment), second: null });
    expect(wallOf(local.at, zone)).toEqual({ day, minutes });
  });

  test.each([
    ["Europe/Berlin", "2026-10-25", 150, "2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"],
    ["America/New_York", "2026-11-01", 90, "2026-11-01T05:30:00.000Z", "2026-11-01T06:30:00.000Z"],
    ["Australia/Lord_Howe", "2026-04-05", 105, "2026-04-04T14:45:00.000Z", "2026-04-04T15:15:00.000Z"],
  ])("a time that %s shows twice on %s is both moments", (zone, day, minutes, first, second) => {
    expect(momentOf({ day, minutes }, zone)).toEqual({ kind: "twice", at: at(first), second: at(second) });
  });

  test("the edges of a change are no part of it", () => {
    const kinds = [119, 120, 179, 180].map((minutes) => momentOf({ day: "2026-03-29", minutes }, "Europe/Berlin").kind);
    expect(kinds).toEqual(["once", "gap", "gap", "once"]);
    const doubled = [119, 120, 179, 180].map(
      (minutes) => momentOf({ day: "2026-10-25", minutes }, "Europe/Berlin").kind,
    );
    expect(doubled).toEqual(["once", "twice", "twice", "once"]);
  });

  test("a day without a midnight begins when its clocks begin", () => {
    expect(iso(startOf("2026-04-24", "Africa/Cairo"))).toBe("2026-04-23T22:00:00.000Z");
    expect(wallOf(startOf("2026-04-24", "Africa/Cairo"), "Africa/Cairo").minutes).toBe(60);
  });
});

test("a field and a wall clock turn into one another", () => {
  expect(wallField({ day: "2026-11-22", minutes: 545 })).toBe("2026-11-22T09:05");
  expect(readWall("2026-11-22T09:05")).toEqual({ day: "2026-11-22", minutes: 545 });
  expect(readWall("")).toBeNull();
  expect(readWall("2026-13-22T09:05")).toBeNull();
});
