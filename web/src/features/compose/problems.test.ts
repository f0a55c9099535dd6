import { expect, test, vi } from "vitest";
import type { Schemas } from "@/api/client";

vi.stubGlobal("localStorage", { getItem: () => "w1", setItem: () => undefined });
const { merged, ownProblems, problemsOf, visible } = await import("./problems");
const { blank } = await import("./composition");
const { composeWords } = await import("@/strings/compose");

const failed = (details: unknown, code = "invalid_media") => ({
  account: "a",
  error: { code, message: "no", details },
});

test("a problem stands beside what its path names, and names the slide", () => {
  const details = [
    { path: ["mediaIds", 2], message: "must be at most 20 MB; it has 21.3 MB" },
    { path: ["settings", "privacy_level"], message: "must be chosen: one of SELF_ONLY" },
    { path: ["content"], message: "must not be empty" },
    { path: ["scheduledFor"], message: "must not be more than 2 years ahead" },
    { path: ["comments"], message: "must be empty" },
  ];
  const found = problemsOf(failed(details), "image");
  expect(found.map(({ place, media, text }) => [place, media, text])).toEqual([
    ["media", 2, "Photo 3 must be at most 20 MB; it has 21.3 MB."],
    ["settings.privacy_level", undefined, "Who can see this post must be chosen: one of SELF_ONLY."],
    ["content", undefined, "The caption must not be empty."],
    ["when", undefined, "The time must not be more than 2 years ahead."],
    ["", undefined, "Comments must be empty."],
  ]);
});

test("media that is gone is named by its code, whatever the message says", () => {
  const details = [{ path: ["mediaIds", 0], code: "not_found", message: "is not there" }];
  expect(problemsOf(failed(details), "video")[0]?.text).toBe(composeWords.mediaMissing(composeWords.subjects.video));
});

test("an error without a place is shown unchanged", () => {
  expect(problemsOf(failed(undefined, "post_limit_reached"), null)).toEqual([{ place: "", account: "a", text: "no" }]);
});

test("the same problem of several accounts is shown once", () => {
  const problem = { place: "content", account: "a", text: "The caption must not be empty." };
  expect(merged([problem, { ...problem, account: "b" }, { ...problem, text: "other" }])).toEqual([
    { ...problem, account: null },
    { ...problem, text: "other" },
  ]);
});

test("what a person has not touched is not held against them until they try", () => {
  const problems = ["content", "settings.privacy_level", ""].map((place) => ({ place, account: null, text: "x" }));
  const places = (touched: string[], tried: boolean) =>
    visible(problems, new Set(touched), tried).map(({ place }) => place);
  expect(places([], false)).toEqual([""]);
  expect(places(["settings"], false)).toEqual(["settings.privacy_level", ""]);
  expect(places([], true)).toHaveLength(3);
});

test("choices that only the user can make are required", () => {
  const fields = ["privacy_level", "brand_content_toggle"].map((name) => ({ name }));
  const schemas = new Map([["a", { settings: { fields } } as Schemas["PlatformSchema"]]]);
  const places = (doc: Partial<ReturnType<typeof blank>>) =>
    ownProblems({ ...blank("k"), ...doc }, schemas, { kind: "image", zone: "UTC" }).map(({ place }) => place);
  expect(places({})).toEqual(["accounts"]);
  expect(places({ accounts: ["a"], disclosed: ["a"] })).toEqual([
    "settings.privacy_level",
    "settings.brand_content_toggle",
  ]);
  const chosen = { accounts: ["a"], settings: { a: { privacy_level: "SELF_ONLY" } } };
  expect(places(chosen)).toEqual([]);
  expect(places({ ...chosen, settings: { a: { post_mode: "MEDIA_UPLOAD" } } })).toEqual([]);
  const when = { mode: "schedule" as const, date: "", time: "09:00", second: false };
  expect(places({ ...chosen, when })).toEqual(["when"]);
});
