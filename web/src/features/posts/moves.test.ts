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

const { movable, movedOf, read, timesBefore, whyLeftOut } = await import("./moves");

type Post = Parameters<typeof whyLeftOut>[0];
const post = (state: string, scheduledFor: string | null, id = "1") =>
  ({ id, state, scheduledFor, integrationId: "a" }) as unknown as Post;
const account = (how: object) => [{ id: "a", disabled: false, refreshNeeded: false, ...how }] as never;
const NOON = "2026-11-22T12:00:00.000Z";
const LATER = "2026-11-23T12:00:00.000Z";

beforeEach(() => posts.clear());

test("only what is queued for a time moves, whatever times the others show", () => {
  const all = ["QUEUE", "DRAFT", "ERROR", "ACTION_REQUIRED", "PUBLISHED"].map((state) => post(state, NOON));
  expect(movable(all, undefined)).toEqual([post("QUEUE", NOON)]);
  for (const state of ["DRAFT", "ERROR", "ACTION_REQUIRED", "PUBLISHED"]) {
    expect(whyLeftOut(post(state, NOON), undefined), state).toEqual(expect.any(String));
  }
  expect(whyLeftOut(post("QUEUE", null), undefined)).toEqual(expect.any(String));
});

test("what is queued on an account that cannot be posted to does not move", () => {
  const queued = post("QUEUE", NOON);
  expect(whyLeftOut(queued, account({}))).toBeNull();
  expect(whyLeftOut(queued, account({ disabled: true }))).toBe("Its account is switched off.");
  expect(whyLeftOut(queued, account({ refreshNeeded: true }))).toBe("Its account must be connected again.");
  expect(whyLeftOut(queued, [])).toBe("Its account was disconnected.");
});

test("what was refused is not part of the move", () => {
  const before = movable([post("QUEUE", NOON, "1"), post("QUEUE", NOON, "2")], undefined);
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
