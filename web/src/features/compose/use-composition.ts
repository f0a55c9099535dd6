/** The state of a composition on a page: fetches its data and saves it automatically. */
import { createContext, useContext, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { Schemas } from "@/api/client";
import {
  createPosts,
  fetchPost,
  removePost,
  updatePost,
  useAsked,
  useMediaMany,
  useOpenPosts,
  useSchemas,
} from "@/api/queries/compose";
import { usePlatforms } from "@/api/queries/platforms";
import { zone as browserZone } from "@/lib/time";
import { type Composition, isQueued, plannedAt } from "./composition";
import { keep } from "./keep";
import type { Problem } from "./problems";
import { Saver, type Shown } from "./saver";
import { type Kind, saidTo, withInitial } from "./settings";

const CALLS = { create: createPosts, find: fetchPost, update: updatePost, remove: removePost };

/** The shared state of the page's parts. */
export interface Composing extends Shown {
  saver: Saver;
  /** Changes it at a place of the page. */
  edit: (place: string, next: (doc: Composition) => Composition) => void;
  platforms: readonly Schemas["Platform"][];
  schemas: ReadonlyMap<string, Schemas["PlatformSchema"]>;
  /** The health of the accounts after a refresh. */
  health: ReadonlyMap<string, Schemas["PlatformHealth"]>;
  media: ReadonlyMap<string, Schemas["Media"] | null>;
  /** The kind of the attached media; undefined while it is not known. */
  kind: Kind | undefined;
  zone: string;
  /** The planned time, in milliseconds; null for now, and while none is chosen. */
  at: number | null;
  /** The places that the user has changed. */
  touched: ReadonlySet<string>;
}

/** The composition of the page. */
export const ComposeContext = createContext<(Composing & { problems: readonly Problem[] }) | null>(null);

export function useComposing() {
  const found = useContext(ComposeContext);
  if (!found) throw new Error("outside of a composition");
  return found;
}

/** The kind of the first file that has loaded: the service rejects a mixture. */
function kindOf(doc: Composition, media: Composing["media"]): Kind | undefined {
  if (doc.media.length === 0) return null;
  const known = doc.media.map((id) => media.get(id)).filter((media) => media !== undefined);
  const first = known.find((media) => media !== null);
  if (first) return first.mediaType === "video" ? "video" : "image";
  return known.length === doc.media.length ? null : undefined;
}

/** Uses the first value of `start`. */
export function useComposition(start: Composition, isOurs: () => boolean): Composing {
  const zone = browserZone();
  const known = useRef<Pick<Composing, "schemas" | "kind">>({ schemas: new Map(), kind: undefined });
  const [saver] = useState(() => new Saver(start, { calls: CALLS, keep, ...outside(known, zone) }));
  const shown = useSyncExternalStore(saver.subscribe, saver.get);
  const { doc } = shown;
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const platforms = usePlatforms().data?.platforms ?? NONE;
  const schemas = useSchemas(doc.accounts);
  const health = useAsked(doc.accounts);
  const media = useMediaMany(doc.media);
  const kind = kindOf(doc, media);
  known.current = { schemas, kind };
  useWhatIsKnown(saver, schemas, kind);
  useOthers(saver, doc);
  useSaving(saver, isOurs);
  return useMemo(() => {
    const edit: Composing["edit"] = (place, next) => {
      setTouched((touched) => (touched.has(place) ? touched : new Set([...touched, place])));
      saver.change(next);
    };
    const at = plannedAt(doc.when, zone);
    return { ...shown, saver, edit, platforms, schemas, health, media, kind, zone, at, touched };
  }, [shown, saver, platforms, schemas, health, media, kind, zone, doc, touched]);
}

const NONE: readonly Schemas["Platform"][] = [];

/** The dependencies of the saver. */
function outside(known: { current: Pick<Composing, "schemas" | "kind"> }, zone: string) {
  return {
    said: (doc: Composition, account: string) => {
      const { schemas, kind } = known.current;
      return kind === undefined ? null : saidTo(doc, account, schemas.get(account), kind);
    },
    planned: (doc: Composition) => {
      const at = plannedAt(doc.when, zone);
      return at === null ? null : new Date(at).toISOString();
    },
    newKey: () => crypto.randomUUID(),
    now: () => Date.now(),
    later: (run: () => void, ms: number) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  };
}

/** Sets the initial settings when an account's schema has loaded, and saves what waited for it. */
function useWhatIsKnown(saver: Saver, schemas: Composing["schemas"], kind: Composing["kind"]): void {
  const ids = [...schemas.keys()].join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the map is another each time, its accounts are not.
  useEffect(() => {
    saver.settle((doc) => withInitial(doc, schemas));
    saver.nudge();
  }, [saver, ids, kind]);
}

/** Watches for changes by others while it is open. */
function useOthers(saver: Saver, doc: Composition): void {
  const accounts = Object.keys(doc.posts);
  const posts = useOpenPosts(accounts.map((account) => doc.posts[account]?.id ?? ""));
  useEffect(() => {
    for (const post of posts) {
      const account = Object.entries(saver.get().doc.posts).find(([, { id }]) => id === post.id)?.[0];
      if (account) saver.notice(account, post);
    }
  }, [saver, posts]);
}

/** Saves when the connection is back, when the tab is hidden, and when the page is left. */
function useSaving(saver: Saver, isOurs: () => boolean): void {
  const mayLeave = useRef(isOurs);
  mayLeave.current = isOurs;
  useEffect(() => {
    const save = () => {
      const { doc } = saver.get();
      if (doc.unsaved && !isQueued(doc) && mayLeave.current()) void saver.save();
    };
    const hide = () => document.visibilityState === "hidden" && save();
    window.addEventListener("online", save);
    document.addEventListener("visibilitychange", hide);
    return () => {
      window.removeEventListener("online", save);
      document.removeEventListener("visibilitychange", hide);
      if (mayLeave.current()) save();
      else saver.stop();
    };
  }, [saver]);
}
