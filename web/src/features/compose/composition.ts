/** A composition: one caption and media for several accounts, each with its own settings. */
import type { Schemas } from "@/api/client";
import { meaning } from "@/lib/wall";

/** A post's settings by name, as in the provider's schema. */
export type Settings = Readonly<Record<string, unknown>>;

/** When it is published. */
export interface When {
  mode: "now" | "schedule";
  /** In the workspace's time zone: `2026-11-22` and `09:05`; empty until chosen. */
  date: string;
  time: string;
  /** For a repeated time, whether the second is chosen. */
  second: boolean;
}

/** A post of the service in which this composition is saved. */
export interface SavedPost {
  id: string;
  state: "DRAFT" | "QUEUE";
  /** Its value at the last read or write here; a different one means that someone else changed it. */
  updatedAt: string;
  /** Its content, as `print` writes it. */
  printed: string;
  /** The content that was last sent: the response may have been lost. */
  sent: string;
  /** Created by this composition: it may be deleted when its account is no longer chosen. */
  made: boolean;
  scheduledFor: string | null;
}

/** A create request whose outcome is not known yet. */
export interface Pending {
  once: string;
  body: Schemas["CreatePost"];
}

/** The whole composition, serializable as JSON. */
export interface Composition {
  key: string;
  content: string;
  media: readonly string[];
  /** The photo that is the cover; by default the first. */
  cover: string | null;
  /** The moment of the video that is the cover, in milliseconds. */
  coverMs: number | null;
  accounts: readonly string[];
  /** By account. */
  settings: Readonly<Record<string, Settings>>;
  /** The accounts for which the commercial disclosure is open. */
  disclosed: readonly string[];
  /** Whether settings are chosen for each account separately, even if they could be shared. */
  apart: boolean;
  when: When;
  /** By account. */
  posts: Readonly<Record<string, SavedPost>>;
  /** By account. */
  pending: Readonly<Record<string, Pending>>;
  /** Whether it has changes by the user that are not saved in the service. */
  unsaved: boolean;
  changedAt: number;
}

/** The content of a post. */
export interface Said {
  content: string;
  mediaIds: readonly string[];
  settings: Settings;
}

/** An empty composition. */
export const blank = (key: string): Composition => ({
  key,
  content: "",
  media: [],
  cover: null,
  coverMs: null,
  accounts: [],
  settings: {},
  disclosed: [],
  apart: false,
  when: { mode: "now", date: "", time: "", second: false },
  posts: {},
  pending: {},
  unsaved: false,
  changedAt: 0,
});

/** The content of a post in one line; equal contents have equal lines. */
export function print({ content, mediaIds, settings }: Said): string {
  const sorted = Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([content, mediaIds, sorted]);
}

/** Whether a post is in the queue: then nothing is saved automatically, because it must stay publishable. */
export const isQueued = ({ posts }: Composition): boolean =>
  Object.values(posts).some(({ state }) => state === "QUEUE");

/** Sets or removes the account's post. */
export const withPost = (doc: Composition, account: string, post: SavedPost | null): Composition => {
  const { [account]: _, ...posts } = doc.posts;
  return { ...doc, posts: post ? { ...posts, [account]: post } : posts };
};

/** Sets or removes the account's pending request. */
export const withPending = (doc: Composition, account: string, asked: Pending | null): Composition => {
  const { [account]: _, ...pending } = doc.pending;
  return { ...doc, pending: asked ? { ...pending, [account]: asked } : pending };
};

/** Changes settings of several accounts in the same way. */
export function withSettings(doc: Composition, accounts: readonly string[], changes: Settings): Composition {
  const changed = accounts.map((id): [string, Settings] => [id, { ...doc.settings[id], ...changes }]);
  return { ...doc, settings: { ...doc.settings, ...Object.fromEntries(changed) } };
}

/** Adds or removes an account; a new one is last, with its earlier settings. */
export const withAccount = (doc: Composition, account: string, isChosen: boolean): Composition => ({
  ...doc,
  accounts: isChosen
    ? [...doc.accounts.filter((id) => id !== account), account]
    : doc.accounts.filter((id) => id !== account),
});

/** Removes an account that is finished. */
export const without = (doc: Composition, account: string): Composition =>
  withPost({ ...doc, accounts: doc.accounts.filter((id) => id !== account) }, account, null);

/** The planned time, or null if none is chosen yet. */
export function plannedAt({ mode, date, time, second }: When, zone: string): number | null {
  if (mode === "now") return null;
  const found = meaning(`${date}T${time}`, zone);
  if (found === null) return null;
  return found.kind === "twice" ? (second ? found.second : found.first) : found.at;
}

/** The part of a stored post that the composition keeps. */
export const savedPost = (post: Schemas["Post"], made: boolean): SavedPost => {
  const printed = print(post);
  return {
    id: post.id,
    state: post.state === "QUEUE" ? "QUEUE" : "DRAFT",
    updatedAt: post.updatedAt,
    printed,
    sent: printed,
    made,
    scheduledFor: post.scheduledFor,
  };
};
