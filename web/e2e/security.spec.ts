import { createHmac } from "node:crypto";
import type { Page } from "@playwright/test";
import { inspect, inspectOpen } from "./inspect";
import { expect, PASSWORD, signUp, test } from "./world";

/** What an authenticator app shows for a secret (RFC 6238). */
function code(secret: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac("sha1", key).update(counter).digest();
  const from = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(from) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("a second factor is set up, asked for, given new codes and turned off", async ({ page, context }) => {
  const email = await signUp(page);
  await page.goto("/security");
  await expect(page.getByRole("heading", { level: 1, name: "Security" })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/settings/security");
  await page.getByRole("button", { name: "Set it up" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Current password").fill("wrong horse battery");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByText("is not your present password")).toBeVisible();
  await dialog.getByLabel("Current password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByRole("img", { name: "The secret as a QR code" })).toBeVisible();
  await inspectOpen(page, "second-factor");
  const secret = ((await dialog.locator("code").textContent()) ?? "").replaceAll(" ", "");
  expect(await dialog.getByRole("link", { name: "Or open the app on this device" }).getAttribute("href")).toContain(
    secret,
  );
  await dialog.getByLabel("The code that the app shows").fill("12");
  await dialog.getByRole("button", { name: "Turn it on" }).click();
  await expect(dialog.locator("[role=alert], [aria-invalid=true]").first()).toBeVisible();
  await dialog.getByLabel("The code that the app shows").fill(code(secret));
  await dialog.getByRole("button", { name: "Turn it on" }).click();
  const codes = (await dialog.getByLabel("Recovery codes").inputValue()).split("\n");
  expect(codes.length).toBeGreaterThan(5);
  await inspectOpen(page, "recovery-codes");
  const saved = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download" }).click();
  expect((await saved).suggestedFilename()).toBe("playout-recovery-codes.txt");
  await dialog.getByRole("button", { name: "I have stored them" }).click();
  await expect(page.getByText(`${codes.length} recovery codes are left.`)).toBeVisible();
  expect(await page.content()).not.toContain(secret);
  await context.clearCookies();
  await signIn(page, email, PASSWORD);
  await page.getByLabel("Code").fill(codes[0] ?? "");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Today", exact: true })).toBeVisible();
  await page.goto("/settings/security");
  await expect(page.getByText(`${codes.length - 1} recovery codes are left.`)).toBeVisible();
  await page.getByRole("button", { name: "New recovery codes" }).click();
  await dialog.getByLabel("Current password").fill(PASSWORD);
  await dialog.getByLabel("Code", { exact: true }).fill(codes[1] ?? "");
  await dialog.getByRole("button", { name: "Create new codes" }).click();
  const anew = (await dialog.getByLabel("Recovery codes").inputValue()).split("\n");
  expect(anew).not.toContain(codes[2]);
  await dialog.getByRole("button", { name: "I have stored them" }).click();
  await page.getByRole("button", { name: "Turn it off" }).click();
  await dialog.getByLabel("Current password").fill(PASSWORD);
  await dialog.getByLabel("Code", { exact: true }).fill(anew[0] ?? "");
  await dialog.getByRole("button", { name: "Turn it off" }).click();
  await expect(page.getByText("The second factor is off.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Set it up" })).toBeVisible();
});

test("another password ends the other sessions and keeps this one; leaving everywhere ends all", async ({
  page,
  browser,
  baseURL,
}) => {
  const email = await signUp(page);
  const elsewhere = await (await browser.newContext(baseURL ? { baseURL } : {})).newPage();
  await signIn(elsewhere, email, PASSWORD);
  await expect(elsewhere.getByRole("heading", { name: "Today", exact: true })).toBeVisible();
  await page.goto("/settings/profile");
  await page.getByRole("link", { name: "Go to security" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Security" })).toBeVisible();
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByLabel("New password").fill("short");
  await page.getByRole("button", { name: "Change the password" }).click();
  await expect(page.getByLabel("New password")).toHaveAttribute("aria-invalid", "true");
  const changed = "another horse battery";
  await page.getByLabel("New password").fill(changed);
  await page.getByRole("button", { name: "Change the password" }).click();
  await expect(page.getByText("Your password is changed.")).toBeVisible();
  await expect(page.getByLabel("New password")).toHaveValue("");
  await elsewhere.goto("/settings/keys");
  await expect(elsewhere.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await signIn(elsewhere, email, changed);
  await expect(elsewhere.getByRole("heading", { name: "Today", exact: true })).toBeVisible();
  await page.reload();
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  expect((await elsewhere.request.get("/app/v1/me")).status()).toBe(401);
  await elsewhere.context().close();
});

test("people see where they are signed in, and end one session or all others", async ({ page, browser, baseURL }) => {
  const email = await signUp(page);
  const base = baseURL ? { baseURL } : {};
  const phone = await browser.newContext({
    ...base,
    userAgent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  });
  const theirs = await phone.newPage();
  await signIn(theirs, email, PASSWORD);
  await expect(theirs.getByRole("heading", { name: "Today", exact: true })).toBeVisible();
  await page.goto("/settings/security");
  const list = page.getByRole("list", { name: "Where you are signed in" });
  await expect(list.getByRole("listitem")).toHaveCount(2);
  const here = list.getByRole("listitem").filter({ hasText: "This session" });
  await expect(here).toContainText("Chrome on Linux");
  await expect(here).toContainText("in use now");
  await expect(here.getByRole("button")).toHaveCount(0);
  const there = list.getByRole("listitem").filter({ hasText: "Safari on iPhone" });
  await expect(there).toContainText("127.0.0.1");
  await expect(there).toContainText("used in the last day");
  await inspect(page, "sessions", "/settings/security", "Security");
  await there.getByRole("button", { name: "End Safari on iPhone, 127.0.0.1" }).click();
  const dialog = page.getByRole("dialog", { name: "End the session of Safari on iPhone?" });
  await dialog.getByRole("button", { name: "End", exact: true }).click();
  await expect(page.getByText("The session of Safari on iPhone has ended.")).toBeVisible();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await expect(page.getByRole("button", { name: "End all others" })).toHaveCount(0);
  await theirs.getByRole("link", { name: "Calendar" }).first().click();
  await expect(theirs.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await signIn(theirs, email, PASSWORD);
  await expect(theirs.getByRole("heading", { name: "Today", exact: true })).toBeVisible();
  await page.reload();
  await page.getByRole("button", { name: "End all others" }).click();
  const all = page.getByRole("dialog", { name: "End all other sessions?" });
  await all.getByRole("button", { name: "End all others" }).click();
  await expect(page.getByText("1 session has ended.")).toBeVisible();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  expect((await theirs.request.get("/app/v1/me")).status()).toBe(401);
  expect((await page.request.get("/app/v1/me")).status()).toBe(200);
  await phone.close();
});
