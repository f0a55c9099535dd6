import { expect, test } from "vitest";
import { pieces, units } from "./caption";

const marked = (caption: string) =>
  pieces(caption)
    .filter(({ kind }) => kind !== "plain")
    .map(({ text }) => text);

test("hashtags and mentions are found where a space or nothing stands before them", () => {
  expect(marked("#kites at dawn @kite.studio\n#Wind_2")).toEqual(["#kites", "@kite.studio", "#Wind_2"]);
  expect(marked("a#b me@example.org # @ ##x")).toEqual([]);
  expect(marked("#été #風 #काम")).toEqual(["#été", "#風", "#काम"]);
});

test("the pieces together are the caption", () => {
  for (const caption of ["", "#a", "#a ", " <b>#a</b>\n@c, and more", "🪁 #a\n\n#b"]) {
    expect(
      pieces(caption)
        .map(({ text }) => text)
        .join(""),
    ).toBe(caption);
  }
});

test("a caption is counted in UTF-16 code units", () => {
  expect(units("🪁!")).toBe(3);
});
