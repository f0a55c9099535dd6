import { expect, test } from "vitest";
import { asSentence, shownValue, words } from "./words";

test("names of programs become words", () => {
  expect(words("privacy_level")).toBe("Privacy level");
  expect(shownValue("PUBLIC_TO_EVERYONE")).toBe("Public to everyone");
});

test("free text stays unchanged", () => {
  expect(shownValue("One bay, three lights")).toBe("One bay, three lights");
  expect(shownValue(true)).toBe("true");
});

test("a message of the service becomes a sentence", () => {
  expect(asSentence("this caption does not fit")).toBe("This caption does not fit.");
  expect(asSentence("Wait 3 s.")).toBe("Wait 3 s.");
  expect(asSentence("")).toBe("");
});
