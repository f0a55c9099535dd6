import { describe, expect, test } from "vitest";
import { meaning, offsetName, told, wallAt, zones } from "./wall";

const iso = (at: number) => new Date(at).toISOString();
const MINUTE = 60_000;

describe("what a time on the wall means", () => {
  test("an ordinary one comes once", () => {
    expect(meaning("2026-11-22T09:05", "Europe/Berlin")).toEqual({
      kind: "once",
      at: Date.parse("2026-11-22T08:05:00Z"),
    });
    expect(meaning("2028-02-29T00:00", "America/New_York")).toEqual({
      kind: "once",
      at: Date.parse("2028-02-29T05:00:00Z"),
    });
  });

  test("an hour that is left out is none, and stands for as long after the change", () => {
    const gap = meaning("2026-03-29T02:30", "Europe/Berlin");
    expect(gap).toEqual({ kind: "gap", at: Date.parse("2026-03-29T01:30:00Z") });
    expect(wallAt(gap?.kind === "gap" ? gap.at : 0, "Europe/Berlin")).toBe("2026-03-29T03:30");
    const half = meaning("2026-10-04T02:15", "Australia/Lord_Howe");
    expect(half?.kind).toBe("gap");
  });

  test("a repeated hour has both its moments, the earlier first", () => {
    const twice = meaning("2026-10-25T02:30", "Europe/Berlin");
    expect(twice?.kind === "twice" && [iso(twice.first), iso(twice.second)]).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-25T01:30:00.000Z",
    ]);
    const half = meaning("2026-04-05T01:45", "Australia/Lord_Howe");
    expect(half?.kind === "twice" && half.second - half.first).toBe(30 * MINUTE);
  });

  test("what is no time is none", () => {
    for (const wall of ["", "2026-11-22", "soon", "2026-13-01T00:00", "2026-11-22T9:5"]) {
      expect(meaning(wall, "UTC"), wall).toBeNull();
    }
  });
});

test("every moment is found again by what the wall shows", () => {
  for (const zone of ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC"]) {
    for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 397 * MINUTE) {
      const found = meaning(wallAt(at, zone), zone);
      const moments = found?.kind === "twice" ? [found.first, found.second] : found?.kind === "once" ? [found.at] : [];
      expect(moments, `${zone} ${iso(at)}`).toContain(at);
    }
  }
});

test("a zone's offset from UTC has its usual form", () => {
  const summer = Date.UTC(2026, 6, 1);
  expect(["Europe/Berlin", "Asia/Kolkata", "America/St_Johns", "UTC"].map((zone) => offsetName(summer, zone))).toEqual([
    "UTC+2",
    "UTC+5:30",
    "UTC−2:30",
    "UTC",
  ]);
});

test("the same moment is shown in other zones", () => {
  expect(told(Date.parse("2026-11-23T02:05:00Z"), "America/New_York")).toMatch(/^Sun, Nov 22, 9:05\sPM$/);
});

test("one's own zone is always among those to choose from", () => {
  expect(zones("Etc/GMT+12")).toContain("Etc/GMT+12");
  expect(new Set(zones("UTC")).size).toBe(zones("UTC").length);
});
