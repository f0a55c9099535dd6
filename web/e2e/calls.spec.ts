/** How many calls a page makes: few where all is well, and no loop where the service refuses whatever is asked. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import { call, connect, expect, post, signUp, test } from "./world";

/** What the load of a page may cost. */
const MOST = 5;
/** What a page may ask in five seconds when nothing is answered: each thing once more, at the most. */
const MOST_REFUSED = 10;
const FIVE_SECONDS = 5_000;
/** Tabs that are open at the same time. */
const TOGETHER = 16;
/** After so long without a call a page is loaded. */
const QUIET_MS = 1_200;

const ROUTES = readFileSync(join(import.meta.dirname, "../src/routeTree.gen.ts"), "utf8");

/** The addresses of every route, with `ids` in their places. */
function addresses(ids: Record<string, string>): string[] {
  const list = ROUTES.slice(ROUTES.indexOf("export interface FileRoutesByTo"));
  const paths = [...list.slice(0, list.indexOf("}")).matchAll(/["'](\/[^"']*)["']:/g)].map(([, path]) => path ?? "");
  expect(paths.length).toBeGreaterThan(20);
  return paths.map((path) => path.replace(/^(\/[\w/]+)\/\$id$/, (whole, noun) => ids[noun] ?? whole));
}

/** What a page calls from now on, without the stream of events. */
function watch(page: Page): string[] {
  const calls: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/app/v1/") && pathname !== "/app/v1/events") {
      calls.push(`${request.method()} ${pathname}${search}`);
    }
  });
  return calls;
}

/** Does something with each of many in a tab of its own, some at the same time. */
async function inTabs<T>(context: BrowserContext, each: readonly T[], work: (tab: Page, one: T) => Promise<void>) {
  for (let from = 0; from < each.length; from += TOGETHER) {
    const some = each.slice(from, from + TOGETHER).map(async (one) => {
      const tab = await context.newPage();
      await work(tab, one);
      await tab.close();
    });
    await Promise.all(some);
  }
}

/** The calls of loading an address, until it is quiet. */
async function load(page: Page, calls: string[], path: string): Promise<string[]> {
  await page.goto(path);
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  for (let known = -1; known !== calls.length; ) {
    known = calls.length;
    await page.waitForTimeout(QUIET_MS);
  }
  return [...calls];
}

test("every page is loaded with at most five calls", async ({ page, context }) => {
  await signUp(page);
  await connect(page);
  const scheduledFor = new Date(Date.now() + 3_600_000).toISOString();
  const queued = await post(page, "Over the harbour", { mode: "schedule", scheduledFor });
  const draft = await post(page, "Before the wind turns", { mode: "draft" });
  const { platforms } = await call<{ platforms: { id: string }[] }>(page, "GET", "/app/v1/platforms");
  const hook = { url: "https://example.org/hook", events: ["post.published"] };
  const webhook = await call<{ id: string }>(page, "POST", "/app/v1/webhooks", hook);
  const paths = addresses({
    "/posts": `/posts/${queued}`,
    "/accounts": `/accounts/${platforms[0]?.id}`,
    "/settings/webhooks": `/settings/webhooks/${webhook.id}`,
  });
  const more = ["week", "day", "list"].map((view) => `/calendar?view=${view}`);
  const drafts = [`/compose?post=${draft}`, `/compose?post=${queued}`, `/compose?copy=${draft}`];
  const many: Record<string, string[]> = {};
  await inTabs(context, [...paths, ...more, ...drafts], async (tab, path) => {
    expect(path).not.toContain("$");
    const made = await load(tab, watch(tab), path);
    console.log(`${path.padEnd(50)} ${made.length}`);
    if (made.length > MOST) many[path] = made;
  });
  expect(many).toEqual({});
});

type How = 400 | 403 | 404 | 429 | 500 | "away";

/** Answers every call of a page so, but for who is signed in where `isKnown` says so. */
async function refuse(page: Page, how: How, isKnown: boolean): Promise<void> {
  await page.route("**/app/v1/**", async (route) => {
    const { pathname } = new URL(route.request().url());
    if (isKnown && pathname === "/app/v1/me") return route.fallback();
    if (how === "away") return route.abort("connectionrefused");
    const code = how === 429 ? "rate_limited" : how >= 500 ? "internal_error" : "not_known";
    const headers = how === 429 ? { "retry-after": "1" } : {};
    return route.fulfill({ status: how, headers, json: { code, message: "No." } });
  });
}

/** Opens a page; answers what it called in five seconds. */
async function callsOf(page: Page, path: string): Promise<number> {
  const calls = watch(page);
  await page.goto(path);
  await page.waitForTimeout(FIVE_SECONDS);
  return calls.length;
}

const PAGES = [
  "/",
  "/posts",
  "/posts/0196f3a0-0000-7000-8000-000000000000",
  "/calendar",
  "/calendar?view=list",
  "/compose",
  "/compose?post=0196f3a0-0000-7000-8000-000000000000",
  "/media",
  "/accounts",
  "/accounts/0196f3a0-0000-7000-8000-000000000000",
  "/settings/audit",
  "/settings/keys",
  "/settings/members",
  "/settings/plan",
  "/settings/security",
  "/settings/webhooks",
];

for (const how of [400, 403, 404, 429, 500, "away"] as const) {
  test(`no page asks in a loop when everything is answered ${how}, and each has a way on`, async ({
    page,
    context,
  }) => {
    await signUp(page);
    await page.close();
    const many: Record<string, number> = {};
    await inTabs(context, PAGES, async (tab, path) => {
      await refuse(tab, how, true);
      const made = await callsOf(tab, path);
      if (made > MOST_REFUSED) many[path] = made;
      await expect(tab.getByRole("navigation", { name: "Pages" }).first(), path).toBeVisible();
      const waits = tab.getByText("They continue automatically");
      const failed = tab.getByRole("button", { name: "Try again" }).or(tab.getByRole("alert")).or(waits);
      await expect(failed.first(), path).toBeVisible();
    });
    expect(many).toEqual({});
  });
}

test("where it is not known who is signed in there is a way on, and no loop", async ({ page, context }) => {
  await signUp(page);
  await page.close();
  const many: Record<string, number> = {};
  const visits = ([403, 404, 429, 500, "away"] as const).flatMap((how) =>
    ["/", "/posts", "/compose"].map((path) => ({ how, path })),
  );
  await inTabs(context, visits, async (tab, { how, path }) => {
    await refuse(tab, how, false);
    const made = await callsOf(tab, path);
    if (made > MOST_REFUSED) many[`${how} ${path}`] = made;
    const way = tab.getByRole("link", { name: "Home", exact: true }).or(tab.getByText("They continue automatically"));
    await expect(way.first(), `${how} ${path}`).toBeVisible();
  });
  expect(many).toEqual({});
});

test("a page that was refused for a while goes on by itself", async ({ page }) => {
  await signUp(page);
  await connect(page);
  let refused = 0;
  await page.route("**/app/v1/bundle?**", (route) => {
    refused += 1;
    if (refused > 2) return route.fallback();
    return route.fulfill({ status: 429, headers: { "retry-after": "2" }, json: { code: "rate_limited", message: "" } });
  });
  await page.goto("/accounts");
  await expect(page.getByText("They continue automatically")).toBeVisible();
  await expect(page.getByText("Kite Studio").first()).toBeVisible();
  await expect(page.getByText("They continue automatically")).toBeHidden();
});
