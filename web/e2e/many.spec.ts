/** Much at once, under the limits that every service begins with: 200 files, 200 posts, a bulk reschedule, refused files. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page, Route } from "@playwright/test";
import { inspectOpen } from "./inspect";
import { test as limited } from "./limited";
import { call, connect, expect, post, signUp, test } from "./world";

const ASSETS = join(import.meta.dirname, "../../assets/demo");
const MANY = 200;
const HOUR_MS = 3_600_000;

/** The smallest picture there is to upload, once it is needed. */
async function smallPicture(page: Page): Promise<Buffer> {
  const bytes = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(90, 160);
    canvas.getContext("2d")?.fillRect(10, 10, 40, 40);
    return [...new Uint8Array(await (await canvas.convertToBlob({ type: "image/jpeg" })).arrayBuffer())];
  });
  return Buffer.from(bytes);
}

/** The statuses of what the page called, but for the stream of events. */
function statuses(page: Page): number[] {
  const seen: number[] = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith("/app/v1/") && pathname !== "/app/v1/events") seen.push(response.status());
  });
  return seen;
}

/** More calls than a page makes for something in bulk: some for the whole of it, and a few a second while it goes on. */
const callsSince = (begun: number) => 20 + (3 * (Date.now() - begun)) / 1_000;

/** Presses "Show more" until `count` of `items` are shown, which come page by page. */
async function showAll(page: Page, items: Locator, count: number): Promise<void> {
  for (let shown = 0; shown < count; shown = await items.count()) {
    if (shown > 0) await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => items.count()).toBeGreaterThan(shown);
  }
}

limited("two hundred files are uploaded and deleted under the default limits", async ({ page }) => {
  await signUp(page);
  await page.goto("/media");
  await expect(page.getByText("Nothing here yet")).toBeVisible();
  const buffer = await smallPicture(page);
  const files = Array.from({ length: MANY }, (_, number) => ({
    name: `kite-${number + 1}.jpg`,
    mimeType: "image/jpeg",
    buffer,
  }));
  const seen = statuses(page);
  const begun = Date.now();
  await page.getByLabel("Files…").first().setInputFiles(files);
  await expect(page.getByText(`${MANY} files uploaded`)).toBeVisible();
  const refused = seen.filter((status) => status === 429).length;
  console.log(`${MANY} files in ${Date.now() - begun} ms: ${seen.length} calls, ${refused} refused`);
  // As many as there are files, and about one look at the library a second.
  expect(refused).toBeLessThan(20);
  await page.reload();
  const tiles = page.getByRole("list", { name: "Files" }).getByRole("listitem");
  await showAll(page, tiles, MANY);
  await expect(tiles).toHaveCount(MANY);
  await tiles.first().hover();
  await tiles.first().getByRole("checkbox").check();
  await tiles.last().hover();
  await tiles
    .last()
    .getByRole("checkbox")
    .click({ modifiers: ["Shift"] });
  await expect(page.getByText(`${MANY} files selected`)).toBeVisible();
  await page.getByRole("button", { name: "Delete" }).click();
  seen.length = 0;
  const deleting = Date.now();
  const dialog = page.getByRole("dialog", { name: `Delete ${MANY} files?` });
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText(`${MANY} files deleted.`)).toBeVisible();
  await expect(page.getByText("Nothing here yet")).toBeVisible();
  expect(seen.length).toBeLessThan(callsSince(deleting));
});

limited("a second session of the same person works while the first one is busy", async ({ page, browser }) => {
  const email = await signUp(page);
  const other = await browser.newContext({ baseURL: new URL(page.url()).origin });
  const second = await other.newPage();
  await second.goto("/sign-in");
  await second.getByLabel("E-mail").fill(email);
  await second.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await second.getByRole("button", { name: "Sign in" }).click();
  await expect(second.getByRole("heading", { name: "Today", exact: true })).toBeVisible();
  // Uses up what the person may call.
  await page.evaluate(() => Promise.all(Array.from({ length: 260 }, () => fetch("/app/v1/me"))));
  await second.goto("/media");
  await expect(second.getByText("Nothing here yet")).toBeVisible();
  await expect(second.getByRole("navigation", { name: "Pages" })).toBeVisible();
  await other.close();
});

/** Makes posts without waiting for files: all share one. */
async function posts(page: Page, count: number, more: object): Promise<void> {
  const first = await post(page, "Number 1", { mode: "draft", ...more });
  const { root } = await call<{ root: { integrationId: string; mediaIds: string[] } }>(
    page,
    "GET",
    `/app/v1/posts/${first}`,
  );
  const body = { platformIds: [root.integrationId], mediaIds: root.mediaIds, mode: "draft", ...more };
  await page.evaluate(
    async ({ body, count }) => {
      const me = await (await fetch("/app/v1/me")).json();
      const headers = { "content-type": "application/json", "x-organization-id": me.organizations[0].id };
      for (let number = 2; number <= count; ) {
        const content = JSON.stringify({ ...body, content: `Number ${number}` });
        const { ok, status } = await fetch("/app/v1/posts", { method: "POST", headers, body: content });
        if (ok) number += 1;
        else if (status === 429) await new Promise((resolve) => setTimeout(resolve, 1_000));
        else throw new Error(`status ${status}`);
      }
    },
    { body, count },
  );
}

limited("two hundred posts are deleted in one go under the default limits", async ({ page }) => {
  await signUp(page);
  await connect(page);
  await posts(page, MANY, {});
  await page.goto("/posts");
  await showAll(page, page.getByRole("link", { name: /^Number/ }), MANY);
  await page.getByLabel("Select all that are shown").check();
  await expect(page.getByText(`${MANY} posts selected`)).toBeVisible();
  await page.getByRole("button", { name: "Delete" }).click();
  const seen = statuses(page);
  const deleting = Date.now();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText(`${MANY} posts deleted.`)).toBeVisible();
  await expect(page.getByRole("link", { name: /^Number/ })).toHaveCount(0);
  expect(seen.length).toBeLessThan(callsSince(deleting));
});

interface Root {
  state: string;
  scheduledFor: string | null;
}

test("a bulk reschedule moves what is queued, says what it leaves out, and is taken back", async ({
  page,
  request,
  simulator,
}) => {
  await signUp(page);
  await connect(page);
  await request.post(`${simulator}/sim/fates`, {
    data: { reason: "spam_risk_text", captionContains: "#becalmed", times: 1 },
  });
  const in2days = new Date(Date.now() + 48 * HOUR_MS).toISOString();
  const in3days = new Date(Date.now() + 72 * HOUR_MS).toISOString();
  const ids = {
    first: await post(page, "Low tide", { mode: "schedule", scheduledFor: in2days }),
    second: await post(page, "High tide", { mode: "schedule", scheduledFor: in3days }),
    draft: await post(page, "An unfinished thought", { mode: "draft", scheduledFor: in2days }),
    failed: await post(page, "Not a breath of wind #becalmed", { mode: "now" }),
    published: await post(page, "Out since noon", { mode: "now" }),
  };
  const roots = async () => {
    const all = Object.entries(ids).map(async ([name, id]) => {
      const { root } = await call<{ root: Root }>(page, "GET", `/app/v1/posts/${id}`);
      return [name, { state: root.state, scheduledFor: root.scheduledFor }] as const;
    });
    return Object.fromEntries(await Promise.all(all));
  };
  await expect.poll(async () => (await roots()).failed?.state).toBe("ERROR");
  await expect.poll(async () => (await roots()).published?.state).toBe("PUBLISHED");
  const before = await roots();
  const later = (moment: string) => new Date(Date.parse(moment) + HOUR_MS).toISOString();
  const moved = {
    ...before,
    first: { state: "QUEUE", scheduledFor: later(in2days) },
    second: { state: "QUEUE", scheduledFor: later(in3days) },
  };
  await page.goto("/posts");
  await expect(page.getByRole("link", { name: "Low tide" })).toBeVisible();
  await page.getByLabel("Select all that are shown").check();
  await page.getByRole("button", { name: "Reschedule" }).click();
  const dialog = page.getByRole("dialog", { name: "Reschedule 2 posts" });
  const left = dialog.getByRole("region", { name: "3 posts stay unchanged" });
  for (const text of [
    "An unfinished thought",
    "A draft",
    "#becalmed",
    "It failed",
    "Out since noon",
    "It is published.",
  ]) {
    await expect(left.getByText(text)).toBeVisible();
  }
  await inspectOpen(page, "move");
  await dialog.getByLabel("Unit").selectOption("hours");
  await dialog.getByRole("button", { name: "Move", exact: true }).click();
  await expect(page.getByText("2 posts moved.")).toBeVisible();
  expect(await roots()).toEqual(moved);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("2 posts are back at their times.")).toBeVisible();
  expect(await roots()).toEqual(before);
  // Again, and taken back after a reload; what was changed since stays changed.
  await page.getByLabel("Select all that are shown").check();
  await page.getByRole("button", { name: "Reschedule" }).click();
  await dialog.getByLabel("Unit").selectOption("hours");
  await dialog.getByRole("button", { name: "Move", exact: true }).click();
  await expect(page.getByText("2 posts moved.")).toBeVisible();
  const elsewhere = new Date(Date.now() + 96 * HOUR_MS).toISOString();
  await call(page, "PATCH", `/app/v1/posts/${ids.second}/schedule`, { scheduledFor: elsewhere });
  await page.reload();
  await page.getByRole("region", { name: "The last move" }).getByRole("button", { name: "Move back" }).click();
  await expect(page.getByText("1 of 2 are back at their times.")).toBeVisible();
  expect(await roots()).toEqual({ ...before, second: { state: "QUEUE", scheduledFor: elsewhere } });
  await expect(page.getByRole("region", { name: "The last move" })).toBeHidden();
});

test("posts that stay are listed, each with its own reason, and what did move can be taken back", async ({ page }) => {
  await signUp(page);
  await connect(page);
  const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
  const scheduledFor = inHours(48);
  const gone = await post(page, "Gone already", { mode: "schedule", scheduledFor });
  const moves = await post(page, "Still here", { mode: "schedule", scheduledFor });
  await post(page, "Too soon", { mode: "schedule", scheduledFor: inHours(3) });
  await page.goto("/posts");
  await page.getByLabel("Select all that are shown").check();
  await page.getByRole("button", { name: "Reschedule" }).click();
  const deleteFirst = async (route: Route) => {
    // It is gone between the question and the answer.
    await call(page, "DELETE", `/app/v1/posts/${gone}`);
    await route.fallback();
  };
  await page.route("**/app/v1/posts/reschedule", deleteFirst, { times: 1 });
  const question = page.getByRole("dialog", { name: "Reschedule 3 posts" });
  await question.getByLabel("Direction").selectOption("earlier");
  await question.getByRole("button", { name: "Move", exact: true }).click();
  const outcome = page.getByRole("dialog", { name: "1 of 3 posts moved" });
  const stayed = outcome.getByRole("region", { name: "2 posts stay unchanged" }).getByRole("listitem");
  await expect(stayed).toHaveCount(2);
  await expect(stayed.filter({ hasText: "Gone already" })).toContainText("It was deleted meanwhile.");
  const tooSoon = stayed.filter({ hasText: "Too soon" });
  await expect(tooSoon).toContainText("The time must not be more than 5 minutes in the past.");
  await expect(tooSoon).toContainText("Kite Studio");
  await inspectOpen(page, "moved-some");
  await page.setViewportSize({ width: 390, height: 844 });
  await inspectOpen(page, "moved-some-narrow");
  await outcome.getByRole("button", { name: "Move back" }).click();
  await expect(page.getByText("1 post is back at its time.")).toBeVisible();
  const { root } = await call<{ root: Root }>(page, "GET", `/app/v1/posts/${moves}`);
  expect(root.scheduledFor).toBe(scheduledFor);
});

test("posts of an account that is switched off are not counted as if they would move", async ({ page }) => {
  await signUp(page);
  await connect(page);
  const scheduledFor = new Date(Date.now() + 48 * HOUR_MS).toISOString();
  await post(page, "Stuck in port", { mode: "schedule", scheduledFor });
  const { platforms } = await call<{ platforms: { id: string }[] }>(page, "GET", "/app/v1/platforms");
  await call(page, "PATCH", `/app/v1/platforms/${platforms[0]?.id}`, { disabled: true });
  await page.goto("/posts");
  await page.getByLabel("Select all that are shown").check();
  await page.getByRole("button", { name: "Reschedule" }).click();
  const dialog = page.getByRole("dialog", { name: "Reschedule 0 posts" });
  await expect(dialog.getByRole("listitem").filter({ hasText: "Stuck in port" })).toContainText(
    "Its account is switched off.",
  );
  await expect(dialog.getByRole("button", { name: "Move", exact: true })).toBeDisabled();
});

test("a refused file shows its name and why, and the post goes out without it", async ({ page }) => {
  await signUp(page);
  await connect(page);
  await page.goto("/compose");
  await page.getByRole("textbox", { name: "Caption" }).fill("Three lights over one bay");
  const media = page.getByRole("list", { name: "Media" });
  const good = { name: "light.jpg", mimeType: "image/jpeg", buffer: readFileSync(join(ASSETS, "photo-1.jpg")) };
  const bad = { name: "broken.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture") };
  await page.getByLabel("choose files").setInputFiles([bad, good]);
  const refused = page.getByRole("list", { name: "Rejected files" }).getByRole("listitem");
  await expect(refused).toContainText("broken.jpg");
  await expect(refused.getByRole("button", { name: "Try again" })).toBeVisible();
  await expect(refused).toContainText("none of JPEG, WebP");
  await expect(media.locator("[data-handle]")).toHaveCount(1);
  await expect(page.getByText("1 file was rejected and is left out.")).toBeVisible();
  await inspectOpen(page, "refused-file");
  await page.getByLabel("Who can see this post").selectOption({ index: 1 });
  const publish = page.getByRole("button", { name: "Publish now" });
  await expect(publish).toBeEnabled();
  await publish.click();
  await expect(page.getByRole("heading", { level: 1, name: "Post", exact: true })).toBeVisible();
});

test("a refused file can be taken away, in the composer and in the list of uploads", async ({ page }) => {
  await signUp(page);
  await connect(page);
  const bad = { name: "broken.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture") };
  await page.goto("/compose");
  await page.getByLabel("choose files").setInputFiles([bad]);
  await page.getByRole("button", { name: "Remove broken.jpg" }).click();
  await expect(page.getByText("broken.jpg")).toBeHidden();
  await expect(page.getByText("Wait until the files are uploaded.")).toBeHidden();
  await page.goto("/media");
  await page.getByLabel("Files…").first().setInputFiles([bad]);
  const tray = page.getByRole("region", { name: "Uploads" });
  const row = tray.getByRole("listitem").filter({ hasText: "broken.jpg" });
  await expect(row).toContainText("none of JPEG, WebP");
  await row.getByRole("button", { name: "Dismiss broken.jpg" }).click();
  await expect(tray).toBeHidden();
});
