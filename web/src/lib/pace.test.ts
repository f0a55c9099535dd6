import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { paced } from "./pace";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a burst of calls sends one request now and one after the gap", async () => {
  const ask = vi.fn(async () => ask.mock.calls.length);
  const pace = paced(1_000);
  expect(await pace("a", ask)).toBe(1);
  const later = Array.from({ length: 50 }, () => pace("a", ask));
  expect(ask).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(new Set(await Promise.all(later))).toEqual(new Set([2]));
  expect(ask).toHaveBeenCalledTimes(2);
});

test("a call during a request gets a newer response", async () => {
  const answers: ((value: number) => void)[] = [];
  const ask = () => new Promise<number>((resolve) => answers.push(resolve));
  const pace = paced(1_000);
  const first = pace("a", ask);
  const second = pace("a", ask);
  answers[0]?.(1);
  expect(await first).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  answers[1]?.(2);
  expect(await second).toBe(2);
});

test("a request after the gap, and a different one, is sent at once", async () => {
  const ask = vi.fn(async () => 0);
  const pace = paced(1_000);
  await pace("a", ask);
  await pace("b", ask);
  vi.setSystemTime(Date.now() + 1_000);
  await pace("a", ask);
  expect(ask).toHaveBeenCalledTimes(3);
});

test("a failed request does not block the next", async () => {
  const pace = paced(1_000);
  await expect(pace("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  vi.setSystemTime(Date.now() + 1_000);
  expect(await pace("a", async () => 7)).toBe(7);
});
