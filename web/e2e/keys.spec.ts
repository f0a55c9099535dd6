/** Keys that may do some things only, for some accounts, for a while. */
import { inspectOpen } from "./inspect";
import { call, connect, expect, signUp, test } from "./world";

interface Key {
  name: string;
  scopes: string[];
  platformIds: string[] | null;
  expiresAt: string | null;
}

const DAY_MS = 86_400_000;

test("a key for drafts of one account is created and shown in the list", async ({ page }) => {
  await signUp(page);
  await connect(page);
  const { platforms } = await call<{ platforms: { id: string }[] }>(page, "GET", "/app/v1/platforms");
  await page.goto("/settings/keys");
  await page.getByRole("button", { name: "Create a key" }).click();
  const dialog = page.getByRole("dialog", { name: "Create an API key" });
  await expect(dialog.getByLabel("Expires")).toHaveValue("quarter");
  await dialog.getByLabel("Name").fill("Ghost writer");
  await dialog.getByRole("radio", { name: "Write drafts only" }).check();
  await dialog.getByRole("radio", { name: "Only these" }).check();
  // Nothing is created until an account is chosen.
  await dialog.getByRole("button", { name: "Create a key" }).click();
  await expect(dialog.getByText("Choose at least one account, or all accounts.")).toBeVisible();
  await inspectOpen(page, "key-limited");
  await page.setViewportSize({ width: 360, height: 740 });
  await inspectOpen(page, "key-limited-360");
  await page.setViewportSize({ width: 1280, height: 720 });
  await dialog.getByRole("checkbox", { name: "Kite Studio" }).check();
  await dialog.getByLabel("Expires").selectOption("In 7 days");
  await dialog.getByRole("button", { name: "Create a key" }).click();
  const key = await page.getByLabel("The new key").inputValue();
  expect(key).toMatch(/^svc_sk_/);
  await page.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("list", { name: "API keys" }).getByRole("listitem");
  await expect(row).toContainText("Ghost writer");
  await expect(row.getByText("Drafts, media · only Kite Studio")).toBeVisible();
  await expect(row).toContainText(/Expires in [67] days/);
  const { keys } = await call<{ keys: Key[] }>(page, "GET", "/app/v1/keys");
  expect(keys).toMatchObject([{ scopes: ["read", "media", "drafts"], platformIds: [platforms[0]?.id] }]);
  const days = (Date.parse(keys[0]?.expiresAt ?? "") - Date.now()) / DAY_MS;
  expect(days).toBeGreaterThan(6.9);
  expect(days).toBeLessThanOrEqual(7);
  const use = () => page.request.get("/public/v1/platforms", { headers: { authorization: `Bearer ${key}` } });
  expect((await use()).status()).toBe(200);
});

test("scopes are chosen one by one, an included one stays, and webhooks need all accounts", async ({ page }) => {
  await signUp(page);
  await connect(page);
  await page.goto("/settings/keys");
  await page.getByRole("button", { name: "Create a key" }).click();
  const dialog = page.getByRole("dialog", { name: "Create an API key" });
  const box = (name: string) => dialog.getByRole("checkbox", { name, exact: true });
  await dialog.getByLabel("Name").fill("Reporter");
  await dialog.getByRole("radio", { name: "Everything" }).check();
  await dialog.getByRole("radio", { name: "Custom" }).check();
  for (const included of ["Read", "Drafts"]) {
    await expect(box(included)).toBeChecked();
    await expect(box(included)).toBeDisabled();
  }
  await expect(box("Webhooks")).toBeChecked();
  await dialog.getByRole("radio", { name: "Only these" }).check();
  await expect(box("Webhooks")).not.toBeChecked();
  await expect(box("Webhooks")).toBeDisabled();
  await expect(dialog.getByText(/^Off, because a webhook reports on every account/)).toBeVisible();
  await inspectOpen(page, "key-custom");
  await dialog.getByRole("radio", { name: "All accounts" }).check();
  await expect(box("Webhooks")).toBeChecked();
  for (const name of ["Publish", "Drafts", "Media", "Accounts", "Read", "Webhooks"]) await box(name).uncheck();
  await dialog.getByRole("button", { name: "Create a key" }).click();
  await expect(dialog.getByText("Choose at least one thing that it may do.")).toBeVisible();
  await box("Read").check();
  await box("Webhooks").check();
  await dialog.getByLabel("Expires").selectOption("Never");
  await dialog.getByRole("button", { name: "Create a key" }).click();
  await page.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("list", { name: "API keys" }).getByRole("listitem");
  await expect(row.getByText("Read, webhooks", { exact: true })).toBeVisible();
  await expect(row).toContainText("Never expires");
  const { keys } = await call<{ keys: Key[] }>(page, "GET", "/app/v1/keys");
  expect(keys).toMatchObject([{ scopes: ["read", "webhooks"], platformIds: null, expiresAt: null }]);
});

test("a key without limits is shown as one for everything", async ({ page }) => {
  await signUp(page);
  await call(page, "POST", "/app/v1/keys", { name: "Night shift" });
  await page.goto("/settings/keys");
  const row = page.getByRole("list", { name: "API keys" }).getByRole("listitem");
  await expect(row.getByText("Everything", { exact: true })).toBeVisible();
  await expect(row).toContainText("Never expires");
});

test("all keys are revoked at once", async ({ page }) => {
  await signUp(page);
  for (const name of ["Night shift", "Day shift"]) await call(page, "POST", "/app/v1/keys", { name });
  await page.goto("/settings/keys");
  await page.getByRole("button", { name: "Revoke all keys" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke all keys" }).click();
  await expect(page.getByText("2 keys are revoked.")).toBeVisible();
  await expect(page.getByText("No keys yet")).toBeVisible();
  expect(await call(page, "GET", "/app/v1/keys")).toMatchObject({ keys: [] });
});
