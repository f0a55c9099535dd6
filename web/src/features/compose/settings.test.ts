import { expect, test } from "vitest";
import type { Schemas } from "@/api/client";
import { blank } from "./composition";
import { alike, fieldsFor, initial, saidTo, withInitial } from "./settings";

type Field = Schemas["SettingField"];

const field = (name: string, type: Field["type"], rest: Partial<Field> = {}): Field => ({
  name,
  type,
  required: false,
  default: type === "boolean" ? false : null,
  description: name,
  appliesTo: ["video", "image"],
  ...rest,
});

const FIELDS = [
  field("privacy_level", "enum", { enum: ["PUBLIC_TO_EVERYONE", "SELF_ONLY"], default: "SELF_ONLY" }),
  field("post_mode", "enum", { enum: ["DIRECT_POST", "MEDIA_UPLOAD"], default: "DIRECT_POST" }),
  field("title", "string", { appliesTo: ["image"], maxLength: 90 }),
  // The account's own default is on.
  field("allow_comment", "boolean", { default: true }),
  field("allow_duet", "boolean", { appliesTo: ["video"] }),
  field("auto_add_music", "boolean", { appliesTo: ["image"], default: true }),
  field("photo_cover_index", "integer", { appliesTo: ["image"], default: 0 }),
  field("video_cover_timestamp_ms", "integer", { appliesTo: ["video"], default: 0 }),
  field("brand_content_toggle", "boolean"),
];

const schemaOf = (fields: Field[]) => ({ settings: { fields } }) as Schemas["PlatformSchema"];
const SCHEMA = schemaOf(FIELDS);

test("privacy is not preselected, and viewers have no permissions, regardless of the account's defaults", () => {
  expect(initial(FIELDS)).toEqual({
    post_mode: "DIRECT_POST",
    allow_comment: false,
    allow_duet: false,
    auto_add_music: true,
    brand_content_toggle: false,
  });
});

test("only settings with a meaning for what is attached are offered and sent", () => {
  const names = (kind: "image" | "video" | null, settings = {}) =>
    fieldsFor(SCHEMA, kind, settings).map(({ name }) => name);
  expect(names("image")).not.toContain("allow_duet");
  expect(names("video")).not.toContain("title");
  expect(names(null)).toEqual(["privacy_level", "post_mode", "allow_comment", "brand_content_toggle"]);
  expect(names("video", { post_mode: "MEDIA_UPLOAD" })).toEqual(["post_mode"]);
  expect(names("image", { post_mode: "MEDIA_UPLOAD" })).toEqual(["post_mode", "title"]);
});

test("untouched switches are sent as off, so that the account's defaults do not turn them on", () => {
  const doc = { ...blank("k"), content: "x", media: ["m"], settings: { a: { privacy_level: "SELF_ONLY", own: 1 } } };
  expect(saidTo(doc, "a", SCHEMA, "video")?.settings).toEqual({
    privacy_level: "SELF_ONLY",
    own: 1,
    allow_comment: false,
    allow_duet: false,
    brand_content_toggle: false,
  });
});

test("the cover goes with its photo when the order changes", () => {
  const doc = { ...blank("k"), media: ["m1", "m2", "m3"], cover: "m3", settings: { a: {} } };
  const cover = (media: string[]) => saidTo({ ...doc, media }, "a", SCHEMA, "image")?.settings.photo_cover_index;
  expect(cover(["m1", "m2", "m3"])).toBe(2);
  expect(cover(["m3", "m1", "m2"])).toBe(0);
  expect(cover(["m1", "m2"])).toBe(0);
});

test("equal accounts are edited together until they are separated; a new one gets the chosen settings", () => {
  const schemas = new Map([
    ["a", SCHEMA],
    ["b", SCHEMA],
    ["c", schemaOf(FIELDS.slice(1))],
  ]);
  const chosen = { ...blank("k"), accounts: ["a", "b", "c"], settings: { a: { privacy_level: "SELF_ONLY" } } };
  const doc = withInitial(chosen, schemas);
  expect(doc.settings.b).toEqual({ privacy_level: "SELF_ONLY", ...initial(FIELDS) });
  expect(withInitial(doc, schemas)).toBe(doc);
  expect(alike(doc, schemas).map(({ accounts }) => accounts)).toEqual([["a", "b"], ["c"]]);
  expect(alike({ ...doc, apart: true }, schemas).map(({ accounts }) => accounts)).toEqual([["a"], ["b"], ["c"]]);
});
