import { expect, test } from "vitest";
import { local, withNext } from "./next";

test("only a path of this service is followed", () => {
  expect(local("/device?user_code=SVC-BCDF-GHJK")).toBe("/device?user_code=SVC-BCDF-GHJK");
  for (const elsewhere of [
    "",
    "device",
    "//evil.example",
    "/\\evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "/\t/evil.example",
    undefined,
  ]) {
    expect(local(elsewhere)).toBe("/");
  }
});

test("the way back survives the address", () => {
  expect(withNext("/sign-in", "/device?a=b&c=d")).toBe("/sign-in?next=%2Fdevice%3Fa%3Db%26c%3Dd");
  expect(withNext("/sign-in", "/")).toBe("/sign-in");
});
