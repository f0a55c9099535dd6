import { expect, test } from "vitest";
import { shownValue, words } from "./words";

test("names of programs become words", () => {
  expect(words("privacy_level")).toBe("Privacy level");
  expect(shownValue("PUBLIC_TO_EVERYONE")).toBe("Public to everyone");
});

test("what somebody wrote stays as it is", () => {
  expect(shownValue("One bay, three lights")).toBe("One bay, three lights");
  expect(shownValue(true)).toBe("true");
});
