import { expect, test } from "vitest";
import { between, codec, composeWith, duration, stepped } from "./media";

test("durations have the form that players use", () => {
  expect([6_000, 59_600, 150_000, 3_900_000, 200].map(duration)).toEqual(["0:06", "1:00", "2:30", "1:05:00", "0:01"]);
  expect(duration(null)).toBe("");
});

test("codecs have their usual names, and others stay as they are", () => {
  expect([codec("h264"), codec("AAC"), codec("prores")]).toEqual(["H.264", "AAC", "prores"]);
});

test("the composer is given the media in their order", () => {
  expect(composeWith(["b", "a"])).toBe("/compose?media=b&media=a");
});

test("arrows lead through rows and not out of them", () => {
  const at = (key: string, from: number) => stepped(key, from, 8, 3);
  expect([at("ArrowRight", 0), at("ArrowDown", 1), at("ArrowUp", 4), at("End", 0), at("Home", 7)]).toEqual([
    1, 4, 1, 7, 0,
  ]);
  expect([at("ArrowLeft", 0), at("ArrowUp", 2), at("ArrowDown", 6), at("a", 1)]).toEqual([null, null, null, null]);
});

test("a range has both its ends, whichever was first", () => {
  expect(between(["a", "b", "c", "d"], "d", "b")).toEqual(["b", "c", "d"]);
  expect(between(["a", "b"], "gone", "b")).toEqual(["b"]);
});
