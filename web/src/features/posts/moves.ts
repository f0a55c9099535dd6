/** Moving many posts at once: which of them move, why the others stay, and undoing the last move. */
import { useSyncExternalStore } from "react";
import { readPost } from "@/api/bundle";
import { currentWorkspace, type Schemas } from "@/api/client";
import type { NewTime, RescheduleResult } from "@/api/queries/posts";
import { postWords } from "@/strings/posts";

type Post = Schemas["Post"];

/** A queued post that waits for a time. */
export type Movable = Post & { scheduledFor: string };

/** A completed move: each post with its old and its new time. */
export interface Move {
  workspace: string;
  posts: readonly { id: string; before: string; after: string }[];
}

/** The accounts of the workspace; undefined while they load. */
type Platforms = readonly Schemas["Platform"][] | undefined;

/** Why a post cannot move; null if it moves as far as is known. */
export function whyLeftOut({ state, scheduledFor, integrationId }: Post, platforms: Platforms): string | null {
  if (state !== "QUEUE") return postWords.stays[state];
  if (scheduledFor === null) return postWords.stays.now;
  if (platforms === undefined) return null;
  const account = platforms.find(({ id }) => id === integrationId);
  if (!account) return postWords.stays.accountGone;
  if (account.disabled) return postWords.stays.accountOff;
  return account.refreshNeeded ? postWords.stays.accountAgain : null;
}

/** The posts that can move. */
export const movable = (posts: readonly Post[], platforms: Platforms): Movable[] =>
  posts.filter((post): post is Movable => whyLeftOut(post, platforms) === null);

/** The posts that were moved, with their old times. */
export function movedOf(before: readonly Movable[], results: readonly RescheduleResult[]): Move["posts"] {
  const had = new Map(before.map(({ id, scheduledFor }) => [id, scheduledFor]));
  return results.flatMap((result) => {
    const time = had.get(result.id);
    const now = result.status === "rescheduled" ? result.post.scheduledFor : null;
    return time !== undefined && now !== null ? [{ id: result.id, before: time, after: now }] : [];
  });
}

const KEPT = "playout.lastMove";
const listeners = new Set<() => void>();
let last = read(sessionStorage.getItem(KEPT));

/** Parses a stored move; null if it is invalid. */
export function read(text: string | null): Move | null {
  try {
    const move = JSON.parse(text ?? "null") as Partial<Move> | null;
    const isMove = typeof move?.workspace === "string" && Array.isArray(move.posts) && move.posts.length > 0;
    return isMove ? (move as Move) : null;
  } catch {
    return null;
  }
}

/** Stores the last move for as long as the tab is open, reloads included; null removes it. */
export function remember(move: Move | null): void {
  last = move;
  if (move) sessionStorage.setItem(KEPT, JSON.stringify(move));
  else sessionStorage.removeItem(KEPT);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The last move in the present workspace that was not undone. */
export function useLastMove(): Move | null {
  const move = useSyncExternalStore(subscribe, () => last);
  return move?.workspace === currentWorkspace() ? move : null;
}

/** The old times of the posts of a move that are unchanged since; others keep their changes. */
export async function timesBefore(move: Move): Promise<NewTime[]> {
  const roots = await Promise.all(move.posts.map(({ id }) => readPost(id).then(({ root }): Post | null => root, gone)));
  return move.posts.flatMap(({ id, before, after }, index) => {
    const root = roots[index];
    const isAsLeft = root?.state === "QUEUE" && root.scheduledFor === after;
    return isAsLeft ? [{ id, scheduledFor: before }] : [];
  });
}

function gone(error: unknown): null {
  if ((error as { status?: number }).status === 404) return null;
  throw error;
}
