/** What the address of the composer says. */
import { keptOf } from "./keep";

export interface ComposeSearch {
  /** The composition in this browser. */
  draft?: string;
  /** The draft or queued post to edit. */
  post?: string;
  /** The post to begin with a copy of. */
  copy?: string;
  /** Media to begin with, in order. */
  media?: string[];
  /** When it is to go out. */
  at?: string;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads the address; what is no ID and no moment is left out. Media may be named once each, or in one list with commas. */
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

/** The same with the composition named: the one that the post belongs to, or a new one. So a reload comes back to it. */
export const withDraft = (search: ComposeSearch): ComposeSearch => ({
  ...search,
  draft: (search.post && keptOf(search.post)?.key) || crypto.randomUUID(),
});
