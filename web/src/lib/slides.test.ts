import { describe, expect, test } from "vitest";
import {
  batches,
  characters,
  EMPTY,
  finished,
  missing,
  pictureOf,
  previewPauseMs,
  readDraft,
  reordered,
  type Slide,
  USUAL,
  withCaptions,
} from "./slides";

const slide = (key: string, other: Partial<Slide> = {}): Slide => ({
  ...USUAL,
  key,
  mediaId: `m-${key}`,
  name: `${key}.jpg`,
  thumb: `/media/${key}`,
  caption: key,
  ...other,
});

test("one slide moves, the others keep their order", () => {
  expect(reordered(["a", "b", "c", "d"], 0, 2)).toEqual(["b", "c", "a", "d"]);
  expect(reordered(["a", "b", "c", "d"], 3, 1)).toEqual(["a", "d", "b", "c"]);
  expect(reordered(["a", "b", "c"], 1, -5)).toEqual(["b", "a", "c"]);
  expect(reordered(["a", "b", "c"], 1, 9)).toEqual(["a", "c", "b"]);
});

describe("requests", () => {
  test("slides that look alike are made by one", () => {
    const all = batches([slide("a"), slide("b"), slide("c")]);
    expect(all.map(({ places }) => places)).toEqual([[0, 1, 2]]);
    expect(all[0]?.look).toEqual(USUAL);
  });
  test("each look has its own, and every slide is in one", () => {
    const all = batches([slide("a"), slide("b", { fit: "contain" }), slide("c")]);
    expect(all.map(({ places }) => places)).toEqual([[0, 2], [1]]);
    expect(all[1]?.look.fit).toBe("contain");
    expect(batches([])).toEqual([]);
  });
  test("equal slides have equal requests, and any change makes them differ", () => {
    const says = (...slides: Slide[]) => batches(slides)[0]?.says;
    expect(says(slide("a"))).toBe(says(slide("a", { key: "z", name: "renamed.jpg" })));
    expect(says(slide("a"))).not.toBe(says(slide("a", { caption: "a " })));
    expect(says(slide("a"))).not.toBe(says(slide("a", { captionSize: "large" })));
    expect(says(slide("a"), slide("b"))).not.toBe(says(slide("b"), slide("a")));
  });
});

describe("a slideshow is finished", () => {
  const slides = [slide("a"), slide("b", { fit: "contain" }), slide("c")];
  const [cover = "", contain = ""] = batches(slides).map(({ says }) => says);
  const draft = { ...EMPTY, slides, made: { [cover]: ["1", "3"], [contain]: ["2"] } };
  test("when all its slides are made, and they come in its order", () => {
    expect(finished(draft)).toEqual(["1", "2", "3"]);
  });
  test("and no longer when anything about it changes", () => {
    expect(finished({ ...draft, slides: reordered(slides, 0, 2) })).toBeNull();
    expect(finished({ ...draft, slides: slides.slice(1) })).toBeNull();
    expect(finished({ ...draft, made: { [cover]: ["1", "3"] } })).toBeNull();
    expect(finished(EMPTY)).toBeNull();
  });
});

test("slides with the same content have one picture", () => {
  expect(pictureOf(slide("a"))).toBe(pictureOf(slide("a", { key: "other" })));
  expect(pictureOf(slide("a"))).not.toBe(pictureOf(slide("a", { captionStyle: "box" })));
});

describe("proposed captions", () => {
  let made = 0;
  const newKey = () => `new-${++made}`;
  test("go to the slides in turn; slides beyond them keep theirs", () => {
    const after = withCaptions([slide("a"), slide("b"), slide("c")], ["one", "two"], newKey);
    expect(after.map(({ caption }) => caption)).toEqual(["one", "two", "c"]);
  });
  test("where there are more, the pictures repeat", () => {
    const after = withCaptions([slide("a"), slide("b")], ["1", "2", "3"], newKey);
    expect(after.map(({ mediaId }) => mediaId)).toEqual(["m-a", "m-b", "m-a"]);
    expect(new Set(after.map(({ key }) => key)).size).toBe(3);
  });
  test("need a picture", () => {
    expect(withCaptions([], ["1"], newKey)).toEqual([]);
  });
});

test("characters are those of Unicode, not halves of them", () => {
  expect(characters("a🪁b")).toBe(3);
});

test("what no font has is shown where it can be", () => {
  expect(missing(null)).toBe("");
  expect(missing("U+E000 U+A66E")).toBe("U+E000, ꙮ (U+A66E)");
  expect(missing("<img> U+110000")).toBe("U+110000");
});

test("the fewer calls are left, the longer a preview waits; the first letter waits for nothing", () => {
  expect([null, 60, 30, 5].map((left) => previewPauseMs(left, 100))).toEqual([60, 60, 250, 900]);
  expect([null, 60, 30, 5].map((left) => previewPauseMs(left, 500))).toEqual([0, 0, 250, 900]);
});

describe("what was kept", () => {
  test("comes back as it was", () => {
    const draft = { ...EMPTY, slides: [slide("a"), slide("b", { fit: "contain" })], target: "f", content: "hi" };
    expect(readDraft(JSON.stringify(draft))).toEqual(draft);
  });
  test("is an empty slideshow where it is none", () => {
    for (const text of [null, "", "not JSON", "[]", '{"slides":7}']) expect(readDraft(text)).toEqual(EMPTY);
    const strange = { slides: [{ ...slide("a"), fit: "stretch" }, null, { key: 1 }, slide("b")] };
    expect(readDraft(JSON.stringify(strange)).slides).toEqual([slide("b")]);
  });
});
