import { expect, test } from "vitest";
import { showIn } from "@/lib/time";
import {
  type Access,
  accessOf,
  describeAccess,
  endOf,
  grantedBy,
  includedBy,
  missingIn,
  PRESETS,
  presetOf,
  requestOf,
  SCOPES,
  type Scope,
  shortAccounts,
  shortScopes,
  withIncluded,
  withPlatform,
  withScope,
} from "./access";

const NOW = new Date("2026-11-30T12:00:00Z");

showIn("UTC");

test("a scope includes what it needs and no more", () => {
  const cases: [Scope[], Scope[]][] = [
    [[], []],
    [["read"], ["read"]],
    [["media"], ["read", "media"]],
    [["drafts"], ["read", "drafts"]],
    [["publish"], ["read", "drafts", "publish"]],
    [["platforms"], ["platforms"]],
    [["webhooks"], ["webhooks"]],
    [
      ["webhooks", "publish", "media"],
      ["read", "media", "drafts", "publish", "webhooks"],
    ],
  ];
  for (const [chosen, all] of cases) expect(withIncluded(chosen), chosen.join()).toEqual(all);
});

test("an included scope names the widest that includes it", () => {
  expect(includedBy("read", ["read", "media", "drafts", "publish"])).toBe("publish");
  expect(includedBy("drafts", ["publish"])).toBe("publish");
  expect(includedBy("read", ["read", "media"])).toBe("media");
  expect(includedBy("publish", SCOPES)).toBeUndefined();
  expect(includedBy("read", ["read", "webhooks", "platforms"])).toBeUndefined();
});

test("removing a scope keeps the included ones that were chosen themselves", () => {
  const chosen = withScope(accessOf(PRESETS.publish), "publish", false);
  expect(grantedBy(chosen)).toEqual(["read", "media", "drafts"]);
  const only = withScope(withScope(accessOf([]), "publish", true), "publish", false);
  expect(grantedBy(only)).toEqual([]);
  expect(grantedBy(withScope(accessOf(["read"]), "read", true))).toEqual(["read"]);
});

test("a preset is recognized from its scopes, included ones listed or not", () => {
  for (const [preset, scopes] of Object.entries(PRESETS)) expect(presetOf(scopes)).toBe(preset);
  expect(presetOf(["publish", "media"])).toBe("publish");
  expect(presetOf(["media", "drafts"])).toBe("drafts");
  expect(presetOf(["webhooks", "platforms", "publish", "media"])).toBe("everything");
  for (const scopes of [[], ["drafts"], ["read", "webhooks"], ["publish"]] as Scope[][]) {
    expect(presetOf(scopes), scopes.join()).toBe("custom");
  }
});

test("webhooks are not granted with chosen accounts, and return with all accounts", () => {
  const all = accessOf(SCOPES);
  const limited: Access = { ...all, platformIds: ["a"] };
  expect(grantedBy(limited)).toEqual(["read", "media", "drafts", "publish", "platforms"]);
  expect(grantedBy({ ...limited, platformIds: [] })).not.toContain("webhooks");
  expect(grantedBy({ ...limited, platformIds: null })).toEqual([...SCOPES]);
  expect(presetOf(limited.scopes)).toBe("everything");
});

test("a choice lacks a scope or an account until there is one of each", () => {
  expect(missingIn(accessOf([]))).toBe("scopes");
  expect(missingIn(accessOf(["read"]))).toBeNull();
  expect(missingIn({ ...accessOf(["webhooks"]), platformIds: ["a"] })).toBe("scopes");
  const none: Access = { ...accessOf(["read"]), platformIds: [] };
  expect(missingIn(none)).toBe("accounts");
  expect(missingIn(withPlatform(none, "a", true))).toBeNull();
  expect(missingIn(withPlatform(withPlatform(none, "a", true), "a", false))).toBe("accounts");
});

test("a lifetime ends after whole days, or never", () => {
  const ends = (["week", "month", "quarter", "year", "never"] as const).map((lifetime) => endOf(lifetime, NOW));
  expect(ends).toEqual([
    "2026-12-07T12:00:00.000Z",
    "2026-12-30T12:00:00.000Z",
    "2027-02-28T12:00:00.000Z",
    "2027-11-30T12:00:00.000Z",
    null,
  ]);
  expect(accessOf(SCOPES).lifetime).toBe("quarter");
});

test("a request names the scopes, and accounts and end only if they are limited", () => {
  expect(requestOf({ ...accessOf(["publish"]), lifetime: "never" }, NOW)).toEqual({
    scopes: ["read", "drafts", "publish"],
  });
  expect(requestOf({ scopes: ["webhooks", "drafts"], platformIds: ["a", "b"], lifetime: "week" }, NOW)).toEqual({
    scopes: ["read", "drafts"],
    platformIds: ["a", "b"],
    expiresAt: "2026-12-07T12:00:00.000Z",
  });
});

test("scopes in a few words leave out those that others include", () => {
  const sets = [SCOPES, PRESETS.publish, PRESETS.drafts, PRESETS.read, ["read", "webhooks"], ["drafts"]] as Scope[][];
  expect(sets.map(shortScopes)).toEqual([
    "Everything",
    "Publish, media",
    "Drafts, media",
    "Read only",
    "Read, webhooks",
    "Drafts",
  ]);
});

test("accounts are named up to two, and counted while their names are not known", () => {
  expect([[], ["Kite"], ["Kite", "Gull"], ["Kite", "Gull", "Tern"], [""], ["Kite", ""]].map(shortAccounts)).toEqual([
    "no account",
    "Kite",
    "Kite, Gull",
    "Kite and 2 more",
    "1 account",
    "2 accounts",
  ]);
});

test("the description lists what is granted and nothing else", () => {
  expect(describeAccess(accessOf(SCOPES), [], NOW)).toBe(
    "it can see posts, media, accounts and usage; upload, change and delete media; write, schedule, publish and delete posts; change accounts; create, change and delete webhooks. It has all accounts, also those that are connected later. It expires on Feb 28, 2027, 12:00 PM, unless you revoke it before.",
  );
  const narrow: Access = { scopes: ["drafts", "webhooks"], platformIds: ["a"], lifetime: "never" };
  expect(describeAccess(narrow, ["Kite Studio"], NOW)).toBe(
    "it can see posts, media, accounts and usage; write and delete drafts, but not publish them. It has only these accounts, with their posts: Kite Studio. It works until it is revoked.",
  );
});
