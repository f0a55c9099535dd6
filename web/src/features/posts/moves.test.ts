import { beforeEach, expect, test, vi } from "vitest";

vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
const posts = new Map<string, unknown>();
vi.mock("@/api/client", () => ({ currentWorkspace: () => "w1" }));
vi.mock("@/api/bundle", () => ({
  readPost: (id: string) =>
    posts.has(id)
      ? Promise.resolve({ root: posts.get(id) })
      : Promise.reject(Object.assign(new Error(), { status: 404 })),
}));

const { isMovable, movedOf, read, timesBefore, whyLeftOut } = await import("./moves");

type Post = Parameters<typeof whyLeftOut>[0];
const post = (state: string, scheduledFor: string | null, id = "1") => ({ id, state, scheduledFor }) as unknown as Post;
const NOON = "2026-11-22T12:00:00.000Z";
const LATER = "2026-11-23T12:00:00.000Z";

beforeEach(() => posts.clear());

test("only what is queued for a time moves, whatever times the others show", () => {
  expect(isMovable(post("QUEUE", NOON))).toBe(true);
  for (const state of ["DRAFT", "ERROR", "ACTION_REQUIRED", "PUBLISHED"]) {
    expect(whyLeftOut(post(state, NOON)), state).toEqual(expect.any(String));
  }
  expect(whyLeftOut(post("QUEUE", null))).toEqual(expect.any(String));
});

test("what was refused is not part of the move", () => {
  const before = [post("QUEUE", NOON, "1"), post("QUEUE", NOON, "2")].filter(isMovable);
  const results = [
    { status: "rescheduled" as const, id: "1", post: post("QUEUE", LATER, "1") },
    { status: "failed" as const, id: "2", error: { code: "post_not_reschedulable", message: "" } },
  ];
  expect(movedOf(before, results)).toEqual([{ id: "1", before: NOON, after: LATER }]);
});

test("what was changed, published or deleted since a move is not taken back", async () => {
  posts.set("as-left", post("QUEUE", LATER));
  posts.set("elsewhere", post("QUEUE", "2026-11-29T12:00:00.000Z"));
  posts.set("out", post("PUBLISHED", LATER));
  const moved = ["as-left", "elsewhere", "out", "gone"].map((id) => ({ id, before: NOON, after: LATER }));
  expect(await timesBefore({ workspace: "w1", posts: moved })).toEqual([{ id: "as-left", scheduledFor: NOON }]);
});

test("what is no move is not read as one", () => {
  for (const text of [null, "{", "3", "{}", '{"workspace":"w1","posts":[]}'])
    expect(read(text), String(text)).toBeNull();
});
