import { expect, test, vi } from "vitest";

vi.stubGlobal("localStorage", { getItem: () => "w1", setItem: () => undefined });
const { readComposeSearch } = await import("./search");

const [A, B] = ["0199c2f0-0000-7000-8000-00000000000a", "0199c2f0-0000-7000-8000-00000000000b"];

test("media are read however they are named, in order and once", () => {
  expect(readComposeSearch({ media: [B, A, B] }).media).toEqual([B, A]);
  expect(readComposeSearch({ media: `${A},${B}` }).media).toEqual([A, B]);
  expect(readComposeSearch({ media: A }).media).toEqual([A]);
});

test("what is no ID and no moment is left out", () => {
  expect(readComposeSearch({ post: "../x", draft: 7, copy: ["a"], media: "<img>", at: "soon" })).toEqual({});
  expect(readComposeSearch({ at: "2026-11-22T10:00:00+02:00" })).toEqual({ at: "2026-11-22T08:00:00.000Z" });
});
