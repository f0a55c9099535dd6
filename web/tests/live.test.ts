import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** An open stream, whose events the test sends. */
interface Stream {
  send(text: string): void;
  end(status: number): void;
}

let streams: Stream[] = [];
let refusals: number[] = [];

vi.mock("../src/api/client", () => ({
  currentWorkspace: () => "w1",
  follow: (_path: string, signal: AbortSignal, take: (piece: string) => void, opened: () => void) => {
    const refused = refusals.shift();
    if (refused !== undefined) return Promise.resolve(refused);
    return new Promise<number>((resolve, reject) => {
      const stream = { send: take, end: resolve };
      streams.push(stream);
      signal.addEventListener("abort", () => {
        streams = streams.filter((other) => other !== stream);
        reject(new Error("aborted"));
      });
      opened();
    });
  },
}));

const { listen } = await import("../src/api/live");
const { apply, lookAgain } = await import("../src/api/stale");

/** So long after others, what becomes stale is fetched at once. */
const GAP_MS = 1_000;

/** The locks of a browser, of which the first who asks for one holds it until the answer to it is settled. */
function locks() {
  const queues = new Map<string, Promise<unknown>>();
  const request = (name: string, { signal }: { signal: AbortSignal }, hold: () => Promise<void>) => {
    const turn = (queues.get(name) ?? Promise.resolve()).then(() => {
      if (signal.aborted) throw new Error("aborted");
      return hold();
    });
    queues.set(
      name,
      turn.catch(() => undefined),
    );
    return turn;
  };
  return { request };
}

/** The broadcast channels of a browser: the others get each message a moment later. */
class Channel {
  static all = new Set<Channel>();
  onmessage: ((event: { data: unknown }) => void) | null = null;

  constructor(readonly name: string) {
    Channel.all.add(this);
  }

  postMessage(data: unknown): void {
    if (!Channel.all.has(this)) throw new Error("the channel is closed");
    for (const other of Channel.all) {
      if (other !== this && other.name === this.name) queueMicrotask(() => other.onmessage?.({ data }));
    }
  }

  close(): void {
    Channel.all.delete(this);
  }
}

/** A tab, with the messages that it got, in order, and whether it is connected. */
function tab(workspace = "w1") {
  const received: string[] = [];
  const state = { received, connected: false };
  const close = listen(workspace, {
    event: (data) => received.push(data),
    opened: () => received.push("opened"),
    connected: (now) => {
      state.connected = now;
    },
  });
  return Object.assign(state, { close });
}

const settled = () => vi.advanceTimersByTimeAsync(0);

/** No test begins before the one that came before it has ended, by its clock. */
let start = Date.now();

beforeEach(() => {
  start += 3_600_000;
  vi.useFakeTimers({ now: start });
  streams = [];
  refusals = [];
  Channel.all.clear();
  vi.stubGlobal("navigator", { locks: locks() });
  vi.stubGlobal("BroadcastChannel", Channel);
});

afterEach(async () => {
  await vi.advanceTimersByTimeAsync(GAP_MS);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("the tabs of a browser share one stream", async () => {
  const [first, second] = [tab(), tab()];
  await settled();
  expect(streams).toHaveLength(1);
  streams[0]?.send('data: {"type":"post.updated"}\n\n');
  await settled();
  for (const one of [first, second]) {
    expect(one.received).toEqual(["opened", '{"type":"post.updated"}']);
    expect(one.connected).toBe(true);
  }
  const late = tab();
  await settled();
  expect(late).toMatchObject({ connected: true, received: [] });
  expect(streams).toHaveLength(1);
  for (const one of [first, second, late]) one.close();
  await settled();
  expect(streams).toHaveLength(0);
});

test("when the tab that reads closes, another reads on, and all look at everything anew", async () => {
  const [first, second, third] = [tab(), tab(), tab()];
  await settled();
  first.close();
  await settled();
  expect(streams).toHaveLength(1);
  streams[0]?.send("data: 1\n\n");
  await settled();
  for (const one of [second, third]) expect(one.received).toEqual(["opened", "opened", "1"]);
  expect(first).toMatchObject({ connected: false, received: ["opened"] });
});

test("tabs on different workspaces have a stream each", async () => {
  const [here, there] = [tab("w1"), tab("w2")];
  await settled();
  expect(streams).toHaveLength(2);
  streams[1]?.send("data: 2\n\n");
  await settled();
  expect(here.received).toEqual(["opened"]);
  expect(there.received).toEqual(["opened", "2"]);
});

test("a stream that ends is opened again after a while, and pages look for themselves until then", async () => {
  const [first, second] = [tab(), tab()];
  await settled();
  refusals = [503, 503];
  streams.pop()?.end(200);
  await settled();
  expect([first.connected, second.connected]).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(2_000);
  await vi.advanceTimersByTimeAsync(4_000);
  expect([streams.length, first.connected]).toEqual([0, false]);
  await vi.advanceTimersByTimeAsync(8_000);
  expect(streams).toHaveLength(1);
  for (const one of [first, second]) expect(one).toMatchObject({ connected: true, received: ["opened", "opened"] });
});

test("a stream without a sign of life is given up; comments are signs of life", async () => {
  const one = tab();
  await settled();
  const silent = streams[0];
  for (let beat = 0; beat < 5; beat += 1) {
    await vi.advanceTimersByTimeAsync(15_000);
    silent?.send(":\n\n");
  }
  expect(streams[0]).toBe(silent);
  expect(one).toMatchObject({ connected: true, received: ["opened"] });
  await vi.advanceTimersByTimeAsync(45_000);
  expect([streams.length, one.connected]).toEqual([0, false]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([streams.length, one.connected]).toEqual([1, true]);
});

test("a tab whose reading tab fell asleep looks for itself until that wakes up", async () => {
  const asleep = new Channel("playout.live.w1");
  vi.stubGlobal("navigator", { locks: { request: () => new Promise(() => undefined) } });
  const one = tab();
  asleep.postMessage("alive");
  await settled();
  expect(one.connected).toBe(true);
  await vi.advanceTimersByTimeAsync(45_000);
  expect(one.connected).toBe(false);
  asleep.postMessage({ data: "3" });
  await settled();
  expect(one).toMatchObject({ connected: true, received: ["3"] });
  one.close();
});

test("without locks a tab has a stream of its own, while it is seen", async () => {
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("document", page);
  const one = tab();
  await settled();
  expect([streams.length, one.connected]).toEqual([1, true]);
  page.visibilityState = "hidden";
  page.dispatchEvent(new Event("visibilitychange"));
  await settled();
  expect([streams.length, one.connected]).toEqual([0, false]);
  page.visibilityState = "visible";
  page.dispatchEvent(new Event("visibilitychange"));
  await settled();
  expect([streams.length, one.connected, one.received]).toEqual([1, true, ["opened", "opened"]]);
  one.close();
  await settled();
  expect([streams.length, one.connected]).toEqual([0, false]);
});

/** A cache with some queries of two workspaces; answers which are stale after an event. */
async function staleAfter(event: string): Promise<string[]> {
  const queries = new QueryClient();
  const keys = [
    ["w1", "posts"],
    ["w1", "posts", "7"],
    ["w1", "media"],
    ["w1", "keys"],
    ["w1", "webhooks"],
    ["w2", "posts"],
    ["me"],
  ];
  for (const key of keys) queries.setQueryData(key, {});
  apply(event, queries);
  await vi.advanceTimersByTimeAsync(GAP_MS);
  return keys.filter((key) => queries.getQueryState(key)?.isInvalidated).map((key) => key.join(" "));
}

test("an event makes stale what it is about, in this workspace alone", async () => {
  expect(await staleAfter('{"type":"post.updated","id":"7"}')).toEqual(["w1 posts", "w1 posts 7"]);
  expect(await staleAfter('{"type":"media.updated","id":"1"}')).toEqual(["w1 media"]);
  expect(await staleAfter('{"type":"member.updated"}')).toEqual(["me"]);
  expect(await staleAfter('{"type":"webhook.updated"}')).toEqual(["w1 webhooks"]);
});

test("what was asked before an event and is answered after it is stale, and asked again where it is seen", async () => {
  await vi.advanceTimersByTimeAsync(GAP_MS);
  const queries = new QueryClient();
  const answers: ((state: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  const [hidden, seen] = [
    ["w1", "posts", "7"],
    ["w1", "posts", "8"],
  ];
  const shown: unknown[] = [];
  const observer = new QueryObserver(queries, { queryKey: seen, queryFn });
  const close = observer.subscribe(({ data }) => shown.push(data));
  void queries.fetchQuery({ queryKey: hidden, queryFn });
  expect(answers).toHaveLength(2);
  for (let event = 0; event < 3; event += 1) apply('{"type":"post.updated"}', queries);
  await vi.advanceTimersByTimeAsync(GAP_MS);
  for (const answer of answers.splice(0)) answer("QUEUE");
  await settled();
  expect(queries.getQueryData(hidden)).toBe("QUEUE");
  expect(queries.getQueryState(hidden)?.isInvalidated).toBe(true);
  expect(answers).toHaveLength(1);
  answers[0]?.("PUBLISHED");
  await settled();
  expect(shown.at(-1)).toBe("PUBLISHED");
  expect(queries.getQueryState(seen)?.isInvalidated).toBe(false);
  close();
});

test("an event that is not understood makes the whole workspace stale", async () => {
  const all = ["w1 posts", "w1 posts 7", "w1 media", "w1 keys", "w1 webhooks"];
  expect(await staleAfter('{"type":"something.new"}')).toEqual(all);
  expect(await staleAfter("no JSON")).toEqual(all);
});

/** A query that a page shows; how often it was asked. */
function shown(queries: QueryClient, queryKey: string[]) {
  const state = { asked: 0, close: () => undefined as unknown };
  const queryFn = () => Promise.resolve(++state.asked);
  state.close = new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => undefined);
  return state;
}

test("what changes two hundred times in ten seconds is fetched about once a second", async () => {
  await vi.advanceTimersByTimeAsync(GAP_MS);
  const queries = new QueryClient();
  const list = shown(queries, ["w1", "media"]);
  await settled();
  for (let event = 0; event < 200; event += 1) {
    apply('{"type":"media.updated"}', queries);
    await vi.advanceTimersByTimeAsync(50);
  }
  await vi.advanceTimersByTimeAsync(GAP_MS);
  expect(list.asked).toBeGreaterThanOrEqual(10);
  expect(list.asked).toBeLessThanOrEqual(13);
  list.close();
});

test("a stream that opens as the page is loaded asks for nothing twice, but for what may have changed meanwhile later", async () => {
  const queries = new QueryClient();
  const [fresh, old] = [shown(queries, ["w1", "posts"]), shown(queries, ["w1", "media"])];
  await settled();
  queries.setQueryData(["w1", "media"], 0, { updatedAt: Date.now() - 60_000 });
  lookAgain("w1", queries);
  await settled();
  expect([fresh.asked, old.asked]).toEqual([1, 2]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect([fresh.asked, old.asked]).toEqual([2, 2]);
  fresh.close();
  old.close();
});
