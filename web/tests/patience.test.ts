import { beforeEach, expect, test, vi } from "vitest";

type Patience = typeof import("../src/api/patience");
let askedToWait: Patience["askedToWait"];
let patiently: Patience["patiently"];
let persistently: Patience["persistently"];
const start = Date.now();

beforeEach(async () => {
  vi.resetModules();
  ({ askedToWait, patiently, persistently } = await import("../src/api/patience"));
  vi.useFakeTimers({ now: start });
  return () => vi.useRealTimers();
});

const answer = (status: number, retryAfter?: string) =>
  new Response("{}", { status, headers: retryAfter ? { "retry-after": retryAfter } : {} });

test("only refusals of what was one too many ask to wait", () => {
  expect(askedToWait(429, "3")).toBe(3_000);
  expect(askedToWait(429, null)).toBe(1_000);
  expect(askedToWait(503, "2")).toBe(2_000);
  for (const status of [200, 400, 403, 404, 500, 503]) expect(askedToWait(status, null), String(status)).toBeNull();
});

test("a refused request goes out again after the time that the answer names, and others wait with it", async () => {
  const sent: number[] = [];
  const answers = [answer(429, "5"), answer(200), answer(200)];
  const send = () => {
    sent.push(Date.now() - start);
    return Promise.resolve(answers.shift() ?? answer(500));
  };
  const first = patiently(send);
  await vi.advanceTimersByTimeAsync(10);
  const second = patiently(send);
  await vi.advanceTimersByTimeAsync(6_000);
  expect((await first).status).toBe(200);
  expect((await second).status).toBe(200);
  expect(sent[0]).toBe(0);
  expect(sent).toHaveLength(3);
  for (const at of sent.slice(1)) expect(at).toBeGreaterThanOrEqual(5_000);
});

test("however many wait, one at a time goes ahead, and less and less often", async () => {
  let sent = 0;
  const send = () => {
    sent += 1;
    return Promise.resolve(answer(429, "1"));
  };
  const all = Array.from({ length: 10 }, () => patiently(send));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent).toBe(10 + 2);
  await vi.advanceTimersByTimeAsync(120_000);
  expect((await Promise.all(all)).every(({ status }) => status === 429)).toBe(true);
  expect(sent).toBeLessThanOrEqual(30);
});

test("patience ends, and then the refusal is the answer", async () => {
  let sent = 0;
  const refused = patiently(() => {
    sent += 1;
    return Promise.resolve(answer(429, "20"));
  });
  await vi.advanceTimersByTimeAsync(120_000);
  expect((await refused).status).toBe(429);
  expect(sent).toBeLessThanOrEqual(4);
  const far = await patiently(() => Promise.resolve(answer(429, "3600")));
  expect(far.status).toBe(429);
});

test("an upload that is refused as one too many goes on by itself; one that is refused for good does not", async () => {
  const stop = new AbortController();
  const outcomes = [Object.assign(new Error("later"), { waitMs: 2_000 }), null];
  const sent = persistently(async () => {
    const error = outcomes.shift();
    if (error) throw error;
    return "stored";
  }, stop.signal);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await sent).toBe("stored");
  const refused = Object.assign(new Error("too large"), { waitMs: null });
  await expect(persistently(() => Promise.reject(refused), stop.signal)).rejects.toBe(refused);
});
