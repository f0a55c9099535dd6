/** What somebody composes: one caption and media for several accounts, each with settings of its own. */
import type { Schemas } from "@/api/client";
import { meaning } from "@/lib/wall";

/** A post's settings by name, as the provider knows them. */
export type Settings = Readonly<Record<string, unknown>>;

/** When it goes out. */
export interface When {
  mode: "now" | "schedule";
  /** By the clocks of the workspace's zone: `2026-11-22` and `09:05`; empty until chosen. */
  date: string;
  time: string;
  /** Of a time that comes twice, the second. */
  second: boolean;
}

/** A post of the service that this composition is kept in. */
export interface SavedPost {
  id: string;
  state: "DRAFT" | "QUEUE";
  /** What it was when it was last read or written here; another one means that somebody else changed it. */
  updatedAt: string;
  /** What it says, as `print` writes it. */
  printed: string;
  /** What was last sent to it: an answer may be lost. */
  sent: string;
  /** Made by this composition: it may go when its account is not chosen any more. */
  made: boolean;
  scheduledFor: string | null;
}

/** A post that was asked for; whether it was made is not known yet. */
export interface Pending {
  once: string;
  body: Schemas["CreatePost"];
}

/** All of it. It can be written down as JSON. */
export interface Composition {
  key: string;
  content: string;
  media: readonly string[];
  /** The photo that is the cover; the first unless one is chosen. */
  cover: string | null;
  /** The moment of the video that is the cover, in milliseconds. */
  coverMs: number | null;
  accounts: readonly string[];
  /** By account. */
  settings: Readonly<Record<string, Settings>>;
  /** The accounts for which the commercial disclosure is open. */
  disclosed: readonly string[];
  /** Whether settings are chosen for each account by itself, also where they could be the same. */
  apart: boolean;
  when: When;
  /** By account. */
  posts: Readonly<Record<string, SavedPost>>;
  /** By account. */
  pending: Readonly<Record<string, Pending>>;
  /** Whether a person changed something that the service does not have yet. */
  unsaved: boolean;
  changedAt: number;
}

/** What a post says. */
export interface Said {
  content: string;
  mediaIds: readonly string[];
  settings: Settings;
}

/** Nothing yet. */
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

/** What a post says in one line; two that say the same have the same. */
export function print({ content, mediaIds, settings }: Said): string {
  const sorted = Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([content, mediaIds, sorted]);
}

/** Whether a post waits in the queue: then nothing is saved by itself, because it must stay publishable. */
export const isQueued = ({ posts }: Composition): boolean =>
  Object.values(posts).some(({ state }) => state === "QUEUE");

/** The account's post or none. */
export const withPost = (doc: Composition, account: string, post: SavedPost | null): Composition => {
  const { [account]: _, ...posts } = doc.posts;
  return { ...doc, posts: post ? { ...posts, [account]: post } : posts };
};

/** The account's unfinished request or none. */
export const withPending = (doc: Composition, account: string, asked: Pending | null): Composition => {
  const { [account]: _, ...pending } = doc.pending;
  return { ...doc, pending: asked ? { ...pending, [account]: asked } : pending };
};

/** Changes settings of some accounts alike. */
export function withSettings(doc: Composition, accounts: readonly string[], changes: Settings): Composition {
  const changed = accounts.map((id): [string, Settings] => [id, { ...doc.settings[id], ...changes }]);
  return { ...doc, settings: { ...doc.settings, ...Object.fromEntries(changed) } };
}

/** Chooses an account or not; it comes last, with the settings it had here before. */
export const withAccount = (doc: Composition, account: string, isChosen: boolean): Composition => ({
  ...doc,
  accounts: isChosen
    ? [...doc.accounts.filter((id) => id !== account), account]
    : doc.accounts.filter((id) => id !== account),
});

/** Without an account that is done with. */
export const without = (doc: Composition, account: string): Composition =>
  withPost({ ...doc, accounts: doc.accounts.filter((id) => id !== account) }, account, null);

/** The moment it is planned for, or null where none is chosen yet. */
export function plannedAt({ mode, date, time, second }: When, zone: string): number | null {
  if (mode === "now") return null;
  const found = meaning(`${date}T${time}`, zone);
  if (found === null) return null;
  return found.kind === "twice" ? (second ? found.second : found.first) : found.at;
}

/** A stored post as it is kept here. */
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
