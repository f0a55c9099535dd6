import { beforeEach, expect, test, vi } from "vitest";

vi.stubGlobal("localStorage", { getItem: () => "w1", setItem: () => undefined });
const { ApiError } = await import("@/api/client");
const { service } = await import("./service.fake");
const { Saver } = await import("./saver");
const { blank, savedPost, withPost } = await import("./composition");
type Composition = import("./composition").Composition;
type Calls = import("./saver-parts").Calls;

let keys = 0;
const kept: Composition[] = [];
beforeEach(() => {
  kept.length = 0;
});

function saverOf(calls: Calls, doc: Composition) {
  const waiting: (() => void)[] = [];
  const saver = new Saver(doc, {
    calls,
    keep: (doc) => {
      kept.push(doc);
      return true;
    },
    said: (doc, account) => ({ content: doc.content, mediaIds: doc.media, settings: doc.settings[account] ?? {} }),
    planned: () => null,
    newKey: () => `key-${++keys}`,
    now: () => ++keys,
    later: (run) => {
      waiting.push(run);
      return () => {
        waiting.splice(waiting.indexOf(run), 1);
      };
    },
  });
  return { saver, waiting };
}

const begun = (): Composition => ({ ...blank("k"), accounts: ["a"] });
const says = (content: string) => (doc: Composition) => ({ ...doc, content });

test("each change is kept at once, and saved after a pause as one draft that is changed from then on", async () => {
  const { calls, posts, asked } = service();
  const { saver, waiting } = saverOf(calls, begun());
  saver.change(says("K"));
  saver.change(says("Kites"));
  expect(kept.at(-1)?.content).toBe("Kites");
  expect(waiting).toHaveLength(1);
  expect(asked).toEqual([]);
  expect(await saver.save()).toBe(true);
  saver.change(says("Kites!"));
  expect(await saver.save()).toBe(true);
  expect(asked).toEqual(["create", "find", "update"]);
  expect([...posts.values()].map(({ content }) => content)).toEqual(["Kites!"]);
  expect(saver.get().doc.unsaved).toBe(false);
});

test("without a caption nothing is sent, and nothing is lost", async () => {
  const { calls, asked } = service();
  const { saver } = saverOf(calls, begun());
  saver.change((doc) => ({ ...doc, media: ["m"] }));
  expect(await saver.save()).toBe(false);
  expect(asked).toEqual([]);
  expect(kept.at(-1)).toMatchObject({ media: ["m"], unsaved: true });
});

test("a draft whose response was lost is created once, with the same key, also after a reload", async () => {
  const { calls, posts, state } = service();
  const { saver, waiting } = saverOf(calls, begun());
  state.losesAnswers = true;
  saver.change(says("Kites"));
  expect(await saver.save()).toBe(false);
  expect(saver.get().troubles.get("a")?.kind).toBe("unreachable");
  expect(waiting).toHaveLength(1);
  state.losesAnswers = false;
  const reloaded = saverOf(calls, JSON.parse(JSON.stringify(kept.at(-1))));
  reloaded.saver.change(says("Kites and wind"));
  expect(await reloaded.saver.save()).toBe(true);
  expect([...posts.values()].map(({ content }) => content)).toEqual(["Kites and wind"]);
});

test("a change whose response was lost is not taken for a change by someone else", async () => {
  const { calls, posts, state } = service();
  const { saver } = saverOf(calls, begun());
  saver.change(says("one"));
  await saver.save();
  state.losesAnswers = true;
  const find = calls.find;
  calls.find = async (id) => {
    state.losesAnswers = false;
    const found = await find(id);
    state.losesAnswers = true;
    return found;
  };
  saver.change(says("two"));
  expect(await saver.save()).toBe(false);
  state.losesAnswers = false;
  calls.find = find;
  saver.change(says("three"));
  expect(await saver.save()).toBe(true);
  expect(posts.get("post-1")?.content).toBe("three");
});

test("a change by someone else is not overwritten without the user's decision", async () => {
  const { calls, posts, stored } = service();
  const { saver } = saverOf(calls, begun());
  saver.change(says("mine"));
  await saver.save();
  stored("post-1", { content: "theirs" });
  saver.change(says("mine, longer"));
  expect(await saver.save()).toBe(false);
  expect(posts.get("post-1")?.content).toBe("theirs");
  expect(saver.get().troubles.get("a")).toMatchObject({ kind: "changed", theirs: { content: "theirs" } });
  expect(await saver.keepMine("a")).toBe(true);
  expect(posts.get("post-1")?.content).toBe("mine, longer");
});

test("a change by someone else between reading and saving is not overwritten either", async () => {
  const { calls, posts, stored, asked } = service();
  const { saver } = saverOf(calls, begun());
  saver.change(says("mine"));
  await saver.save();
  const { find } = calls;
  calls.find = async (id) => {
    const found = await find(id);
    calls.find = find;
    stored("post-1", { content: "theirs" });
    return found;
  };
  saver.change(says("mine, longer"));
  expect(await saver.save()).toBe(false);
  expect(asked).toEqual(["create", "find", "update", "find"]);
  expect(posts.get("post-1")?.content).toBe("theirs");
  expect(saver.get().troubles.get("a")).toMatchObject({ kind: "changed", theirs: { content: "theirs" } });
});

test("a change by someone else can be adopted", async () => {
  const { calls, stored } = service();
  const { saver } = saverOf(calls, begun());
  saver.change(says("mine"));
  await saver.save();
  saver.notice("a", stored("post-1", { content: "theirs", mediaIds: ["m"] }));
  expect(await saver.takeTheirs("a")).toBe(true);
  expect(saver.get().doc).toMatchObject({ content: "theirs", media: ["m"], unsaved: false });
  expect(saver.get().troubles.size).toBe(0);
});

test("a draft that was deleted elsewhere comes back only when a person wants it", async () => {
  const { calls, posts } = service();
  const { saver } = saverOf(calls, begun());
  saver.change(says("here"));
  await saver.save();
  posts.clear();
  saver.change(says("still here"));
  expect(await saver.save()).toBe(false);
  expect(saver.get().troubles.get("a")?.kind).toBe("gone");
  expect(posts.size).toBe(0);
  expect(await saver.keepMine("a")).toBe(true);
  expect([...posts.values()].map(({ content }) => content)).toEqual(["still here"]);
});

test("the draft of an account that is no longer chosen goes, but only if it was made here", async () => {
  const { calls, posts, stored } = service();
  const { saver } = saverOf(calls, { ...begun(), accounts: ["a", "b"] });
  saver.change(says("both"));
  await saver.save();
  expect(posts.size).toBe(2);
  saver.change((doc) => ({ ...doc, accounts: ["a"] }));
  expect(await saver.save()).toBe(true);
  expect([...posts.values()].map(({ integrationId }) => integrationId)).toEqual(["a"]);
  const theirs = stored("older", { integrationId: "c", content: "older" });
  saver.change((doc) => withPost(doc, "c", savedPost(theirs, false)));
  await saver.save();
  expect(posts.has("older")).toBe(true);
});

test("a queued post is saved by the user, not automatically", async () => {
  const { calls, posts, stored } = service();
  const queued = stored("q", { content: "queued", mediaIds: [], settings: {} as never, state: "QUEUE" });
  const { saver, waiting } = saverOf(calls, withPost({ ...begun(), content: "queued" }, "a", savedPost(queued, false)));
  saver.change(says("queued, better"));
  expect(waiting).toEqual([]);
  expect(kept.at(-1)?.content).toBe("queued, better");
  expect(await saver.save()).toBe(true);
  expect(posts.get("q")?.content).toBe("queued, better");
});

test("a rejected save is reported, and not retried until the post changes", async () => {
  const { calls, asked } = service();
  const { saver, waiting } = saverOf(calls, begun());
  const details = [{ path: ["mediaIds", 0], message: "names no READY media of this workspace" }];
  calls.create = async () => {
    asked.push("create");
    throw new ApiError(400, "invalid_request", "no", details, null);
  };
  saver.change(says("x"));
  expect(await saver.save()).toBe(false);
  expect(saver.get().troubles.get("a")).toMatchObject({ kind: "refused", error: { code: "invalid_request", details } });
  expect(waiting).toEqual([]);
  expect(saver.get().doc.pending).toEqual({});
});
