/** The keys, webhooks and pages of a member who is removed or demoted. */
import type { Browser, Page } from "@playwright/test";
import { inspect, inspectOpen } from "./inspect";
import { call, expect, PASSWORD, signUp, test } from "./world";

interface Admin {
  tab: Page;
  email: string;
}

/** Signs up a user who joins the workspace of `page` as an admin, and belongs to no other. */
async function joinAsAdmin(page: Page, browser: Browser, email: string): Promise<Admin> {
  const me = await call<{ organizations: { id: string }[] }>(page, "GET", "/app/v1/me");
  const invitations = `/app/v1/organizations/${me.organizations[0]?.id}/invitations`;
  const { token } = await call<{ token: string }>(page, "POST", invitations, { email, role: "admin" });
  const tab = await (await browser.newContext({ baseURL: new URL(page.url()).origin })).newPage();
  await tab.goto(`/accept-invitation?token=${token}`);
  await tab.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await tab.getByRole("button", { name: "Sign up and join" }).click();
  await expect(tab.getByRole("heading", { name: "Today", exact: true })).toBeVisible();
  return { tab, email };
}

async function addWebhook(page: Page, url: string): Promise<void> {
  await call(page, "POST", "/app/v1/webhooks", { url, events: ["post.published"] });
}

/** Whether each webhook of the workspace is switched off. */
async function isOff(page: Page): Promise<Record<string, boolean>> {
  const { webhooks } = await call<{ webhooks: { url: string; disabled: boolean }[] }>(page, "GET", "/app/v1/webhooks");
  return Object.fromEntries(webhooks.map(({ url, disabled }) => [url, disabled]));
}

/** The statuses of the reads of what members hold. */
function holdingsReads(page: Page): number[] {
  const seen: number[] = [];
  page.on("response", (response) => {
    if (response.url().endsWith("/holdings")) seen.push(response.status());
  });
  return seen;
}

const THEIRS = "https://hooks.bob.example/a/long/way/to/what/takes/the/events-of-this-workspace";
const SECOND = "https://second.bob.example/in";
const OURS = "https://ours.example/in";

test("removing a member switches their webhooks off before, unless the box is cleared", async ({ page, browser }) => {
  const email = await signUp(page);
  const bob = await joinAsAdmin(page, browser, `bob.${email}`);
  const cleo = await joinAsAdmin(page, browser, `cleo.${email}`);
  await addWebhook(page, OURS);
  await addWebhook(bob.tab, THEIRS);
  await addWebhook(bob.tab, SECOND);
  await addWebhook(cleo.tab, "https://cleo.example/in");
  await call(bob.tab, "POST", "/app/v1/keys", { name: "Night shift" });
  const reads = holdingsReads(page);
  await page.goto("/settings/members");
  await page.getByRole("button", { name: `Remove ${bob.email}` }).click();
  const dialog = page.getByRole("dialog", { name: `Remove ${bob.email}?` });
  await expect(dialog).toContainText("these webhooks continue to send the workspace's events");
  await expect(dialog.getByText(THEIRS)).toBeVisible();
  await expect(dialog.getByText(SECOND)).toBeVisible();
  await expect(dialog).toContainText("Night shift");
  await expect(dialog).not.toContainText(OURS);
  await expect(dialog.getByLabel("Switch these webhooks off")).toBeChecked();
  await inspectOpen(page, "remove-member");
  await page.setViewportSize({ width: 390, height: 844 });
  await inspectOpen(page, "remove-member-narrow");
  await page.setViewportSize({ width: 1400, height: 900 });
  // The second webhook cannot be switched off: the member stays, and what was done is reported.
  let patched = 0;
  await page.route("**/app/v1/webhooks/*", (route) => {
    patched += 1;
    const refused = { status: 500, json: { code: "internal_error", message: "" } };
    return patched === 2 ? route.fulfill(refused) : route.fallback();
  });
  await dialog.getByRole("button", { name: "Remove", exact: true }).click();
  const problem = dialog.getByRole("alert");
  await expect(problem).toContainText(`1 of 2 webhooks are switched off. ${bob.email} was not removed:`);
  await inspectOpen(page, "remove-member-failed");
  expect(Object.values(await isOff(page)).filter(Boolean)).toHaveLength(1);
  await expect(dialog).toContainText("This webhook stays, and is switched off:");
  await page.unroute("**/app/v1/webhooks/*");
  await dialog.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByText(`${bob.email} is removed. Their 2 webhooks are switched off.`)).toBeVisible();
  await expect(dialog).toBeHidden();
  const afterBob = { [OURS]: false, [THEIRS]: true, [SECOND]: true, "https://cleo.example/in": false };
  expect(await isOff(page)).toEqual(afterBob);
  await page.getByRole("button", { name: `Remove ${cleo.email}` }).click();
  await page.getByLabel("Switch this webhook off").uncheck();
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByText(`${cleo.email} is removed. Their webhook continues to send.`)).toBeVisible();
  await expect(page.getByRole("list", { name: "Members" }).getByRole("listitem")).toHaveCount(1);
  expect(await isOff(page)).toEqual(afterBob);
  // A removed member's holdings are not requested again, not after the event about it either.
  await page.waitForTimeout(1_500);
  expect(reads.length).toBeGreaterThan(1);
  expect(new Set(reads)).toEqual(new Set([200]));
  await bob.tab.context().close();
  await cleo.tab.context().close();
});

test("demoting a member leaves their webhooks on, unless the box is ticked", async ({ page, browser }) => {
  const email = await signUp(page);
  const bob = await joinAsAdmin(page, browser, `bob.${email}`);
  await addWebhook(bob.tab, THEIRS);
  await page.goto("/settings/members");
  const role = page.getByLabel(`Role of ${bob.email}`);
  const dialog = page.getByRole("dialog", { name: `Make ${bob.email} a member?` });
  await role.selectOption("Member");
  await expect(dialog.getByLabel("Switch this webhook off")).not.toBeChecked();
  await inspectOpen(page, "demote-member");
  await dialog.getByRole("button", { name: "Make a member" }).click();
  await expect(page.getByText(`${bob.email} is member now. Their webhook continues to send.`)).toBeVisible();
  expect(await isOff(page)).toEqual({ [THEIRS]: false });
  await role.selectOption("Admin");
  await expect(page.getByText(`${bob.email} is admin now.`)).toBeVisible();
  await addWebhook(bob.tab, SECOND);
  await role.selectOption("Member");
  await expect(dialog).not.toContainText(THEIRS);
  await dialog.getByLabel("Switch this webhook off").check();
  await dialog.getByRole("button", { name: "Make a member" }).click();
  await expect(page.getByText(`${bob.email} is member now. Their webhook is switched off.`)).toBeVisible();
  expect(await isOff(page)).toEqual({ [THEIRS]: false, [SECOND]: true });
  await bob.tab.context().close();
});

test("whoever belongs to no workspace still reaches their profile and security", async ({ page, browser }) => {
  const email = await signUp(page);
  const { tab, email: invited } = await joinAsAdmin(page, browser, `bob.${email}`);
  await page.goto("/settings/members");
  await page.getByRole("button", { name: `Remove ${invited}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByText(`${invited} is removed.`)).toBeVisible();
  await tab.goto("/calendar");
  await expect(tab.getByText("You belong to no workspace")).toBeVisible();
  const failed: string[] = [];
  tab.on("response", (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
  });
  await inspect(tab, "no-workspace", "/", "Home");
  await tab.getByRole("main").getByRole("link", { name: "Profile" }).click();
  await tab.getByLabel("Your name").fill("Bob");
  await tab.getByRole("button", { name: "Save" }).click();
  await expect(tab.getByText("Saved.")).toBeVisible();
  await expect(tab.getByRole("navigation", { name: "Settings" }).getByRole("link")).toHaveText(["Profile", "Security"]);
  await inspect(tab, "profile-no-workspace", "/settings/profile", "Profile");
  await tab.goto("/security");
  await expect(tab.getByRole("heading", { level: 1, name: "Security" })).toBeVisible();
  await expect(tab.getByRole("list", { name: "Where you are signed in" }).getByRole("listitem")).toHaveCount(1);
  await expect(tab.getByRole("button", { name: "Set it up" })).toBeVisible();
  await inspect(tab, "security-no-workspace", "/settings/security", "Security");
  await tab.getByLabel("Current password").fill(PASSWORD);
  await tab.getByLabel("New password").fill("another horse battery");
  await tab.getByRole("button", { name: "Change the password" }).click();
  await expect(tab.getByText("Your password is changed.")).toBeVisible();
  expect(failed).toEqual([]);
  for (const path of ["/settings/members", "/settings/keys", "/posts"]) {
    await tab.goto(path);
    await expect(tab.getByText("You belong to no workspace")).toBeVisible();
  }
  await tab.context().close();
});
