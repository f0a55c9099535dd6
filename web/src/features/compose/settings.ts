/** Settings from an account's schema, and the provider's rules for user interfaces. */
import type { Schemas } from "@/api/client";
import type { Composition, Said, Settings } from "./composition";

type SettingField = Schemas["SettingField"];
type Platform = Schemas["Platform"];
type PlatformSchema = Schemas["PlatformSchema"];

/** The kind of the attached media; null if there are none. */
export type Kind = "image" | "video" | null;

export const PRIVACY = "privacy_level";
export const ONLY_ME = "SELF_ONLY";
export const MODE = "post_mode";
export const INBOX = "MEDIA_UPLOAD";
export const TITLE = "title";
export const BRANDED = "brand_content_toggle";
export const OWN_BRAND = "brand_organic_toggle";
/** The permissions of viewers; the value is the field of the account's `metadata` that forbids it. */
export const AUDIENCE = {
  allow_comment: "commentDisabled",
  allow_duet: "duetDisabled",
  allow_stitch: "stitchDisabled",
} as const;
const PHOTO_COVER = "photo_cover_index";
const VIDEO_COVER = "video_cover_timestamp_ms";

const COVERS: readonly string[] = [PHOTO_COVER, VIDEO_COVER];
/** Off until the user turns them on, regardless of the account's defaults. */
const OFF_AT_FIRST: readonly string[] = [...Object.keys(AUDIENCE), BRANDED, OWN_BRAND];
/** Settings with their own controls. */
const PLACED: readonly string[] = [PRIVACY, MODE, TITLE, ...OFF_AT_FIRST, ...COVERS];
/** The settings of a photo post that the inbox keeps; of a video it keeps none. */
const IN_INBOX: readonly string[] = [MODE, TITLE];

/** The initial settings of a composition. Privacy is chosen by the user: nothing is preselected. */
export function initial(fields: readonly SettingField[]): Settings {
  const settings: Record<string, unknown> = {};
  for (const field of fields) {
    if (field.name === PRIVACY || COVERS.includes(field.name)) continue;
    if (OFF_AT_FIRST.includes(field.name)) settings[field.name] = false;
    else if (field.default !== null && field.default !== undefined) settings[field.name] = field.default;
  }
  return settings;
}

/** The settings that apply to the attached media and the mode. */
export function fieldsFor(schema: PlatformSchema, kind: Kind, settings: Settings): SettingField[] {
  const kinds: readonly string[] = kind ? [kind] : ["image", "video"];
  const applies = ({ appliesTo }: SettingField) =>
    kinds.every((kind) => !appliesTo || (appliesTo as readonly string[]).includes(kind));
  const isInbox = settings[MODE] === INBOX;
  return schema.settings.fields.filter((field) => applies(field) && (!isInbox || IN_INBOX.includes(field.name)));
}

/** Those without their own control, shown as the schema describes them. */
export const otherFields = (fields: readonly SettingField[]): SettingField[] =>
  fields.filter(({ name }) => !PLACED.includes(name));

export const hasField = (fields: readonly SettingField[], name: string): boolean =>
  fields.some((field) => field.name === name);

/** Whether the account forbids viewers to comment, duet or stitch. */
export const isForbidden = (platform: Platform, name: keyof typeof AUDIENCE): boolean =>
  (platform.metadata as Record<string, unknown>)[AUDIENCE[name]] === true;

/** Whether it is sent to the app's inbox, to be finished there. */
export const isForInbox = (settings: Settings): boolean => settings[MODE] === INBOX;

/** The content of the post to an account; null while its schema is not known. */
export function saidTo(doc: Composition, account: string, schema: PlatformSchema | undefined, kind: Kind): Said | null {
  const settings = doc.settings[account];
  if (!settings) return null;
  // Without a schema, the settings stay as they were chosen.
  if (!schema) return { content: doc.content, mediaIds: doc.media, settings };
  const known = new Set(schema.settings.fields.map(({ name }) => name));
  const applying = fieldsFor(schema, kind, settings);
  const kept = Object.entries(settings).filter(([name, value]) => {
    const isEmpty = value === undefined || value === null || value === "";
    return !isEmpty && !COVERS.includes(name) && (!known.has(name) || hasField(applying, name));
  });
  const off = OFF_AT_FIRST.filter((name) => hasField(applying, name)).map((name) => [name, false]);
  const chosen = { ...Object.fromEntries([...off, ...kept]), ...covers(doc, applying) };
  return { content: doc.content, mediaIds: doc.media, settings: chosen };
}

function covers(doc: Composition, applying: readonly SettingField[]): Settings {
  const index = doc.cover === null ? 0 : doc.media.indexOf(doc.cover);
  return {
    ...(hasField(applying, PHOTO_COVER) && doc.media.length > 0 ? { [PHOTO_COVER]: Math.max(0, index) } : {}),
    ...(hasField(applying, VIDEO_COVER) && doc.coverMs !== null ? { [VIDEO_COVER]: doc.coverMs } : {}),
  };
}

/** The covers of a stored post. */
export function coversOf({ settings, mediaIds }: Schemas["Post"]): Pick<Composition, "cover" | "coverMs"> {
  const { [PHOTO_COVER]: index, [VIDEO_COVER]: ms } = settings as Settings;
  return {
    cover: typeof index === "number" ? (mediaIds[index] ?? null) : null,
    coverMs: typeof ms === "number" ? ms : null,
  };
}

/** Accounts with the same settings and options, which are edited together. */
export interface Alike {
  accounts: string[];
  schema: PlatformSchema;
}

/** The chosen accounts with a known schema, grouped by equal settings. */
export function alike(doc: Composition, schemas: ReadonlyMap<string, PlatformSchema>): Alike[] {
  const groups = new Map<string, Alike>();
  for (const account of doc.accounts) {
    const schema = schemas.get(account);
    if (!schema) continue;
    const settings = doc.settings[account] ?? {};
    const own = doc.apart ? account : "";
    const sorted = Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const like = JSON.stringify([own, schema.settings.fields, sorted, doc.disclosed.includes(account)]);
    const group = groups.get(like);
    if (group) group.accounts.push(account);
    else groups.set(like, { accounts: [account], schema });
  }
  return [...groups.values()];
}

/**
 * Sets the initial settings of accounts: those of an account with the same options, or the defaults. A post created
 * elsewhere may have fewer settings; the missing ones are shown, and sent, with their defaults.
 */
export function withInitial(doc: Composition, schemas: ReadonlyMap<string, PlatformSchema>): Composition {
  let next = doc;
  for (const account of doc.accounts) {
    const schema = schemas.get(account);
    if (!schema) continue;
    const first = initial(schema.settings.fields);
    const own = next.settings[account];
    if (own) {
      const isWhole = Object.keys(first).every((name) => name in own);
      if (!isWhole) next = { ...next, settings: { ...next.settings, [account]: { ...first, ...own } } };
      continue;
    }
    const choices = JSON.stringify(schema.settings.fields);
    const like = next.accounts.find(
      (id) => id !== account && next.settings[id] && JSON.stringify(schemas.get(id)?.settings.fields) === choices,
    );
    const settings = (like && next.settings[like]) || first;
    const disclosed = like && next.disclosed.includes(like) ? [...next.disclosed, account] : next.disclosed;
    next = { ...next, disclosed, settings: { ...next.settings, [account]: settings } };
  }
  return next;
}
