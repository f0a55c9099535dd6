import { expect, test } from "vitest";
import { parseSearch, stringifySearch } from "./search";

test("a token that looks like a number stays as it is", () => {
  expect(parseSearch("?token=1e999&next=%2Fa%3Fb%3Dc")).toEqual({ token: "1e999", next: "/a?b=c" });
});

test("what is empty is left out", () => {
  expect(stringifySearch({ q: "sea & sun", state: "", platform: undefined })).toBe("?q=sea+%26+sun");
  expect(stringifySearch({ q: undefined })).toBe("");
});

test("what is named more than once is a list, both ways", () => {
  const query = "?media=a&media=b&at=x";
  expect(parseSearch(query)).toEqual({ media: ["a", "b"], at: "x" });
  expect(stringifySearch(parseSearch(query))).toBe(query);
});
