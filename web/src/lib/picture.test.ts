import { expect, test } from "vitest";
import { isTaken, within } from "./picture";

test("accepted files are not converted", () => {
  expect(["image/jpeg", "image/webp", "video/quicktime"].every(isTaken)).toBe(true);
  expect(["image/png", "image/heic", "text/html", ""].some(isTaken)).toBe(false);
});

test("a large picture shrinks in proportion, a small one stays", () => {
  expect(within(8192, 4096)).toEqual({ width: 4096, height: 2048 });
  expect(within(1080, 1920)).toEqual({ width: 1080, height: 1920 });
  expect(within(9000, 1)).toEqual({ width: 4096, height: 1 });
});
