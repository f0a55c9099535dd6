/**
 * Cache invalidation: the queries about a change become stale, and are fetched again if they are shown. Changes come in
 * bursts (200 uploads, a queue that is published), and fetching all lists after each would use up the user's rate limit:
 * queries that become stale within a second are fetched together.
 */
import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";
import { currentWorkspace } from "./client";

/** The queries that an event invalidates, by the first word of its type. */
const STALE: Record<string, readonly string[]> = {
  post: ["posts", "usage", "audit"],
  media: ["media", "usage", "audit"],
  platform: ["platforms", "posts", "usage", "audit"],
  key: ["keys", "audit"],
  member: ["members", "invitations", "audit"],
  webhook: ["webhooks", "audit"],
};

/** The shortest time between two fetches of a family of queries. */
const GAP_MS = 1_000;
/** Data read this shortly before a stream opened is fetched again later, not at once: a page has only just loaded it. */
const JUST_NOW_MS = 5_000;
const LATER_MS = 20_000;

/** When each family was last fetched, by its key in JSON; and which of them are scheduled. */
const fetchedAt = new Map<string, number>();
const waiting = new Set<string>();

/** Invalidates the queries of an event; an unknown event invalidates all. */
export function apply(data: string, queries: QueryClient): void {
  const workspace = currentWorkspace();
  const noun = nounOf(data);
  const keys = (STALE[noun] ?? [undefined]).map((stale) => (stale === undefined ? [workspace] : [workspace, stale]));
  // The name of the workspace, and the user's role in it.
  outdate(queries, noun === "member" ? [...keys, ["me"]] : keys);
}

/** Invalidates families of the workspace's queries, such as `media`. */
export const outdateHere = (queries: QueryClient, ...families: readonly string[]): void =>
  outdate(
    queries,
    families.map((family) => [currentWorkspace(), family]),
  );

/** Fetches the shown queries that are older than the stream, because no event reported their changes. */
export function lookAgain(workspace: string, queries: QueryClient): void {
  const isRecent = ({ state }: Query) =>
    state.fetchStatus === "fetching" || Date.now() - Math.max(state.dataUpdatedAt, state.errorUpdatedAt) < JUST_NOW_MS;
  const recent = queries.getQueryCache().findAll({ queryKey: [workspace], type: "active", predicate: isRecent });
  void queries.invalidateQueries({ queryKey: [workspace], predicate: (query) => !recent.includes(query) });
  if (recent.length === 0) return;
  // A change may have happened between the response and the opening of the stream.
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
    // The wait stays bounded if the clock is set back.
    const wait = Math.min(GAP_MS, (fetchedAt.get(name) ?? 0) + GAP_MS - Date.now());
    if (wait <= 0) run();
    else {
      waiting.add(name);
      setTimeout(run, wait);
    }
  }
}

/** Queries to fetch again after their present request. */
const again = new WeakSet<Query>();

/**
 * Invalidates queries. A request in flight may have been read before the change, but its response would count as fresh: such
 * queries are fetched again afterwards.
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
    // The cache stores the response first.
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
