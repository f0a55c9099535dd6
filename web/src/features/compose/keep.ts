/** Compositions in local storage: each change is stored at once, so that closing the tab loses nothing. */
import { currentWorkspace } from "@/api/client";
import { blank, type Composition } from "./composition";

const MOST = 50;
const LONGEST_MS = 60 * 86_400_000;

const prefix = () => `playout.compose.${currentWorkspace()}.`;

function read(name: string): Composition | null {
  try {
    const found = JSON.parse(localStorage.getItem(name) ?? "null") as Composition | null;
    return found && typeof found.key === "string" ? { ...blank(found.key), ...found } : null;
  } catch {
    return null;
  }
}

/** All compositions of this workspace, the last changed first. */
export function kept(): Composition[] {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(prefix()));
  const found = names.map(read).filter((doc) => doc !== null);
  return found.toSorted((a, b) => b.changedAt - a.changedAt);
}

/** The composition with this key, or null. */
export const findKept = (key: string): Composition | null => read(prefix() + key);

/** The composition of a post, or null. */
export const keptOf = (post: string): Composition | null =>
  kept().find(({ posts }) => Object.values(posts).some(({ id }) => id === post)) ?? null;

/**
 * Stores one; if there are many, old ones that are saved in the service are removed. False if the browser's storage is full.
 */
export function keep(doc: Composition): boolean {
  try {
    localStorage.setItem(prefix() + doc.key, JSON.stringify(doc));
    return true;
  } catch {
    return false;
  }
}

/** Removes one. */
export const forget = (key: string): void => localStorage.removeItem(prefix() + key);

/** Removes old ones that are saved in the service. */
export function tidy(now: number): void {
  kept()
    .filter((doc, index) => !doc.unsaved && (index >= MOST || now - doc.changedAt > LONGEST_MS))
    .forEach(({ key }) => {
      forget(key);
    });
}
