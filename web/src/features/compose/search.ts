/** The composer's part of the address. */
import { keptOf } from "./keep";

export interface ComposeSearch {
  /** The composition in this browser. */
  draft?: string;
  /** The draft or queued post to edit. */
  post?: string;
  /** The post to copy. */
  copy?: string;
  /** The first media, in order. */
  media?: string[];
  /** The planned time. */
  at?: string;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Parses the address; invalid IDs and times are left out. Media may be repeated parameters, or one list with commas. */
export function readComposeSearch(search: Record<string, unknown>): ComposeSearch {
  const id = (name: "draft" | "post" | "copy") => {
    const value = search[name];
    return typeof value === "string" && ID.test(value) ? { [name]: value } : {};
  };
  const named = Array.isArray(search.media) ? search.media : [search.media];
  const media = [...new Set(named.flatMap((value) => String(value ?? "").split(",")))].filter((one) => ID.test(one));
  const at = typeof search.at === "string" ? Date.parse(search.at) : Number.NaN;
  return {
    ...id("draft"),
    ...id("post"),
    ...id("copy"),
    ...(media.length > 0 ? { media } : {}),
    ...(Number.isNaN(at) ? {} : { at: new Date(at).toISOString() }),
  };
}

/** The same with the composition's key: that of the post, or a new one. So a reload returns to it. */
export const withDraft = (search: ComposeSearch): ComposeSearch => ({
  ...search,
  draft: (search.post && keptOf(search.post)?.key) || crypto.randomUUID(),
});
