/** What an API key may do, as it is chosen: its scopes, the accounts that it sees, and its lifetime. */
import type { Schemas } from "@/api/client";
import { absolute, daysFrom } from "@/lib/time";
import { accessWords } from "@/strings/access";

/** A kind of operations that a key may be allowed. */
export type Scope = Schemas["Key"]["scopes"][number];

/** In the order in which they are listed. */
export const SCOPES = ["read", "media", "drafts", "publish", "platforms", "webhooks"] as const satisfies Scope[];

const INCLUDED: Partial<Record<Scope, readonly Scope[]>> = {
  media: ["read"],
  drafts: ["read"],
  publish: ["read", "drafts"],
};

export const PRESETS = {
  everything: SCOPES,
  publish: ["read", "media", "drafts", "publish"],
  drafts: ["read", "media", "drafts"],
  read: ["read"],
} as const satisfies Record<string, readonly Scope[]>;

export type Preset = keyof typeof PRESETS;

/** In days; null: unlimited. */
const LIFETIMES = { week: 7, month: 30, quarter: 90, year: 365, never: null } as const;

export type Lifetime = keyof typeof LIFETIMES;

/** A choice of what a key may do. */
export interface Access {
  /** The chosen scopes. What the key gets is `grantedBy`. */
  scopes: readonly Scope[];
  /** Null: all accounts, also those that are connected later. */
  platformIds: readonly string[] | null;
  lifetime: Lifetime;
}

/** The chosen scopes for all accounts, for 90 days. */
export const accessOf = (scopes: readonly Scope[]): Access => ({ scopes, platformIds: null, lifetime: "quarter" });

/** The scopes with those that they include, in the listed order. */
export const withIncluded = (scopes: readonly Scope[]): Scope[] =>
  SCOPES.filter((scope) => scopes.includes(scope) || includedBy(scope, scopes) !== undefined);

/** The widest of the scopes that includes this one. */
export const includedBy = (scope: Scope, scopes: readonly Scope[]): Scope | undefined =>
  SCOPES.findLast((other) => scopes.includes(other) && INCLUDED[other]?.includes(scope));

/** Whether the choice of accounts excludes a scope: a webhook reports on every account. */
export const isExcluded = (scope: Scope, { platformIds }: Access): boolean =>
  scope === "webhooks" && platformIds !== null;

/** The scopes of the key. */
export const grantedBy = (access: Access): Scope[] =>
  withIncluded(access.scopes.filter((scope) => !isExcluded(scope, access)));

/** Chooses a scope, or removes it. */
export function withScope(access: Access, scope: Scope, isChosen: boolean): Access {
  const others = access.scopes.filter((other) => other !== scope);
  return { ...access, scopes: isChosen ? [...others, scope] : others };
}

/** Chooses an account, or removes it. */
export function withPlatform(access: Access, id: string, isChosen: boolean): Access {
  const others = (access.platformIds ?? []).filter((other) => other !== id);
  return { ...access, platformIds: isChosen ? [...others, id] : others };
}

/** The preset with exactly these scopes. */
export function presetOf(scopes: readonly Scope[]): Preset | "custom" {
  const all = withIncluded(scopes).join();
  return (Object.keys(PRESETS) as Preset[]).find((preset) => PRESETS[preset].join() === all) ?? "custom";
}

/** What must be chosen first. */
export function missingIn(access: Access): "scopes" | "accounts" | null {
  if (grantedBy(access).length === 0) return "scopes";
  return access.platformIds?.length === 0 ? "accounts" : null;
}

/** The end of a lifetime that starts now; null: never. */
export function endOf(lifetime: Lifetime, now: Date): string | null {
  const days = LIFETIMES[lifetime];
  return days === null ? null : daysFrom(now, days);
}

/** The part of a request that grants the access: accounts and end only if they are limited. */
export function requestOf(access: Access, now: Date) {
  const expiresAt = endOf(access.lifetime, now);
  return {
    scopes: grantedBy(access),
    ...(access.platformIds ? { platformIds: [...access.platformIds] } : {}),
    ...(expiresAt ? { expiresAt } : {}),
  };
}

/** The scopes that no other one of them includes, the widest first. */
function widest(scopes: readonly Scope[]): Scope[] {
  const order = ["publish", "drafts", "media", "read", "platforms", "webhooks"] as const satisfies Scope[];
  return order.filter((scope) => scopes.includes(scope) && includedBy(scope, scopes) === undefined);
}

/** The scopes in a few words: `Everything`, or `Drafts, media`. */
export function shortScopes(scopes: readonly Scope[]): string {
  const all = withIncluded(scopes);
  if (all.length === SCOPES.length) return accessWords.shortAll;
  if (all.join() === "read") return accessWords.shortRead;
  const text = widest(all)
    .map((scope) => accessWords.scopes[scope].label.toLowerCase())
    .join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Accounts by their names in a few words; names that are not known yet are empty. */
export function shortAccounts(names: readonly string[]): string {
  const { none, count, more } = accessWords.shortAccounts;
  const [first = "", second] = names;
  if (names.length === 0) return none;
  if (names.includes("")) return count(names.length);
  if (second === undefined) return first;
  return names.length === 2 ? `${first}, ${second}` : more(first, names.length - 1);
}

/** The choice in sentences, of which the first continues one about the key. The names are those of the chosen accounts. */
export function describeAccess(access: Access, names: readonly string[], now: Date): string {
  const granted = grantedBy(access);
  const isListed = (scope: Scope) => scope === "read" || includedBy(scope, granted) === undefined;
  const abilities = granted.filter(isListed).map((scope) => accessWords.abilities[scope]);
  const end = endOf(access.lifetime, now);
  return [
    accessWords.can(abilities.join("; ")),
    access.platformIds ? accessWords.coversOnly(shortAccounts(names)) : accessWords.coversAll,
    end ? accessWords.until(absolute(end)) : accessWords.untilRevoked,
  ].join(" ");
}
