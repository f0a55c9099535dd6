/**
 * What is to be read again: what a change is about becomes stale, and is fetched where it is shown. Changes come in
 * flocks (200 uploads, a queue that goes out), and reading all lists after each would use up the person's rate: what becomes
 * stale within a second is fetched together.
 */
import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";
import { currentWorkspace } from "./client";

/** Which queries of the workspace an event is about, by the word before the dot of its type. */
const STALE: Record<string, readonly string[]> = {
  post: ["posts", "usage", "audit"],
  media: ["media", "usage", "audit"],
  platform: ["platforms", "posts", "usage", "audit"],
  key: ["keys", "audit"],
  member: ["members", "invitations", "audit"],
  webhook: ["webhooks", "audit"],
};

/** How often a family of queries is fetched at most. */
const GAP_MS = 1_000;
/** What was read so shortly before a stream opened is read again later, not at once: a page has only just loaded it. */
const JUST_NOW_MS = 5_000;
const LATER_MS = 20_000;

/** When each family was last fetched, by its key in JSON; and which of them wait for their turn. */
const fetchedAt = new Map<string, number>();
const waiting = new Set<string>();

/** Makes stale what an event is about; one that is not understood makes everything stale. */
export function apply(data: string, queries: QueryClient): void {
  const workspace = currentWorkspace();
  const noun = nounOf(data);
  const keys = (STALE[noun] ?? [undefined]).map((stale) => (stale === undefined ? [workspace] : [workspace, stale]));
  // The name of the workspace, and what one may do there.
  outdate(queries, noun === "member" ? [...keys, ["me"]] : keys);
}

/** Makes families of the workspace's queries stale, such as `media`. */
export const outdateHere = (queries: QueryClient, ...families: readonly string[]): void =>
  outdate(
    queries,
    families.map((family) => [currentWorkspace(), family]),
  );

/** Fetches what is shown and older than the stream, because no event told of its changes. */
export function lookAgain(workspace: string, queries: QueryClient): void {
  const isRecent = ({ state }: Query) =>
    state.fetchStatus === "fetching" || Date.now() - Math.max(state.dataUpdatedAt, state.errorUpdatedAt) < JUST_NOW_MS;
  const recent = queries.getQueryCache().findAll({ queryKey: [workspace], type: "active", predicate: isRecent });
  void queries.invalidateQueries({ queryKey: [workspace], predicate: (query) => !recent.includes(query) });
  if (recent.length === 0) return;
  // A change may lie between its answer and the opening of the stream.
  const openedAt = Date.now();
  const isOlder = (query: Query) => recent.includes(query) && query.state.dataUpdatedAt <= openedAt;
  setTimeout(() => void queries.invalidateQueries({ queryKey: [workspace], predicate: isOlder }), LATER_MS);
}

function outdate(queries: QueryClient, keys: readonly QueryKey[]): void {
  for (const key of keys) {
    const name = JSON.stringify(key);
    if (waiting.has(name)) continue;
    const run = () => {
      waiting.delete(name);
      fetchedAt.set(name, Date.now());
      outdateNow(queries, key);
    };
    // A clock that was set back does not hold it up.
    const wait = Math.min(GAP_MS, (fetchedAt.get(name) ?? 0) + GAP_MS - Date.now());
    if (wait <= 0) run();
    else {
      waiting.add(name);
      setTimeout(run, wait);
    }
  }
}

/** What is to be looked at again once it is answered. */
const again = new WeakSet<Query>();

/**
 * Makes queries stale. What is under way may have been read before the change, and its answer would count as fresh: it is
 * looked at again afterwards.
 */
function outdateNow(queries: QueryClient, queryKey: QueryKey): void {
  const underWay = queries.getQueryCache().findAll({ queryKey, fetchStatus: "fetching" });
  void queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
  for (const query of underWay.filter((query) => !again.has(query))) {
    again.add(query);
    const look = () => {
      again.delete(query);
      void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
    };
    // The cache takes the answer in first.
    void query.promise?.then(look, look);
  }
}

function nounOf(data: string): string {
  try {
    const event = JSON.parse(data) as { type?: unknown };
    return String(event.type ?? "").split(".")[0] ?? "";
  } catch {
    return "";
  }
}
