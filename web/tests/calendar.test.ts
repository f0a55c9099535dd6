import { QueryClient } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import type { Schemas } from "../src/api/client";

vi.stubGlobal("localStorage", { getItem: () => "w1", setItem: () => undefined });
const { place } = await import("../src/api/queries/calendar");

const NOVEMBER = ["w1", "posts", "ranges", "2026-11-01T00:00:00.000Z", "2026-12-01T00:00:00.000Z"];
const DECEMBER = ["w1", "posts", "ranges", "2026-12-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"];
const post = (id: string, scheduledFor: string) => ({ id, scheduledFor }) as Schemas["Post"];

test("a post that moves leaves the range where it was and is in order where it goes", () => {
  const queries = new QueryClient();
  const ids = (key: string[]) => queries.getQueryData<Schemas["Post"][]>(key)?.map(({ id }) => id);
  queries.setQueryData(NOVEMBER, [post("a", "2026-11-03T10:00:00Z"), post("b", "2026-11-05T10:00:00Z")]);
  queries.setQueryData(DECEMBER, [post("c", "2026-12-03T10:00:00Z"), post("d", "2026-12-05T10:00:00Z")]);
  const untouched = queries.getQueryData(NOVEMBER);
  place(queries, post("d", "2026-12-01T00:00:00Z"));
  expect(ids(DECEMBER)).toEqual(["d", "c"]);
  expect(queries.getQueryData(NOVEMBER)).toBe(untouched);
  place(queries, post("a", "2026-12-04T10:00:00Z"));
  expect([ids(NOVEMBER), ids(DECEMBER)]).toEqual([["b"], ["d", "c", "a"]]);
  place(queries, post("a", "2026-11-03T10:00:00Z"));
  expect([ids(NOVEMBER), ids(DECEMBER)]).toEqual([
    ["a", "b"],
    ["d", "c"],
  ]);
  place(queries, post("a", "2028-01-01T10:00:00Z"));
  expect([ids(NOVEMBER), ids(DECEMBER)]).toEqual([["b"], ["d", "c"]]);
});
