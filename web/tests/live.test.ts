import { QueryClient } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";

vi.stubGlobal("localStorage", { getItem: () => "w1", setItem: () => undefined });
const { apply } = await import("../src/api/live");

/** A cache with some queries of two workspaces; answers which are stale after an event. */
function staleAfter(event: string): string[] {
  const queries = new QueryClient();
  const keys = [
    ["w1", "posts"],
    ["w1", "posts", "7"],
    ["w1", "media"],
    ["w1", "keys"],
    ["w2", "posts"],
  ];
  for (const key of keys) queries.setQueryData(key, {});
  apply(event, queries);
  return keys.filter((key) => queries.getQueryState(key)?.isInvalidated).map((key) => key.join(" "));
}

test("an event makes stale what it is about, in this workspace alone", () => {
  expect(staleAfter('{"type":"post.updated","id":"7"}')).toEqual(["w1 posts", "w1 posts 7"]);
  expect(staleAfter('{"type":"media.updated","id":"1"}')).toEqual(["w1 media"]);
});

test("an event that is not understood makes the whole workspace stale", () => {
  const all = ["w1 posts", "w1 posts 7", "w1 media", "w1 keys"];
  expect(staleAfter('{"type":"something.new"}')).toEqual(all);
  expect(staleAfter("no JSON")).toEqual(all);
});
