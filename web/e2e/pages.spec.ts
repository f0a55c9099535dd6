import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { call, connect, expect, post, signUp, test } from "./world";

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

/** Looks at a page in both themes and sizes: axe finds nothing, nothing sticks out, and a picture is kept. */
async function inspect(page: Page, name: string, path: string, heading: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      await page.screenshot({ path: `../target/web/pictures/${name}-${size.width}-${colorScheme}.png` });
      const { violations } = await new AxeBuilder({ page }).analyze();
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
      expect(found, `${path} ${colorScheme} ${size.width}`).toEqual([]);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(over, `${path} sticks out at ${size.width}`).toBeLessThanOrEqual(0);
    }
  }
}

test("axe finds nothing before signing in", async ({ page }) => {
  test.setTimeout(180_000);
  await inspect(page, "sign-in", "/sign-in", "Sign in");
  await inspect(page, "sign-up", "/sign-up", "Create your account");
  await inspect(page, "forgot-password", "/forgot-password", "Forgotten password");
  await inspect(page, "reset-password", "/reset-password?token=1e99", "Choose a new password");
});

test("axe finds nothing in an empty workspace", async ({ page }) => {
  test.setTimeout(180_000);
  await signUp(page);
  await inspect(page, "home-empty", "/", "Today");
  await inspect(page, "posts-empty", "/posts", "Posts");
  await inspect(page, "accounts-empty", "/accounts", "Accounts");
  await inspect(page, "not-found", "/settings/nothing", "There is nothing here");
});

test("axe finds nothing on any page in use", async ({ page, request, simulator }) => {
  test.setTimeout(300_000);
  await signUp(page);
  await connect(page);
  await request.post(`${simulator}/sim/fates`, {
    data: { reason: "spam_risk_text", captionContains: "#calm", times: 1 },
  });
  const failed = await post(page, "Not a breath of wind, and still I went #calm", { mode: "now" });
  const scheduledFor = new Date(Date.now() + 3_600_000).toISOString();
  await post(page, "<img src=x onerror=alert(1)> Over the harbour", { mode: "schedule", scheduledFor });
  await call(page, "POST", "/app/v1/keys", { name: "Night shift" });
  await expect
    .poll(async () => (await call<{ root: { state: string } }>(page, "GET", `/app/v1/posts/${failed}`)).root.state)
    .toBe("ERROR");
  const { platforms } = await call<{ platforms: { id: string }[] }>(page, "GET", "/app/v1/platforms");
  await inspect(page, "home", "/", "Today");
  await inspect(page, "posts", "/posts", "Posts");
  await inspect(page, "post", `/posts/${failed}`, "Post");
  await inspect(page, "accounts", "/accounts", "Accounts");
  await inspect(page, "account", `/accounts/${platforms[0]?.id}`, "Kite Studio");
  for (const [name, heading] of [
    ["keys", "API keys"],
    ["members", "Members"],
    ["workspace", "Workspace"],
    ["plan", "Plan"],
    ["audit", "Audit"],
    ["profile", "Profile"],
  ] as const) {
    await inspect(page, name, `/settings/${name}`, heading);
  }
});

test("axe finds nothing in dialogs and menus", async ({ page }) => {
  await signUp(page);
  await page.emulateMedia({ reducedMotion: "reduce" });
  const open: [string, () => Promise<void>][] = [
    ["palette", () => page.keyboard.press("Control+k")],
    ["help", () => page.keyboard.press("?")],
    ["connect", () => page.getByRole("button", { name: "Connect", exact: true }).click()],
    [
      "workspace menu",
      () =>
        page
          .getByRole("button", { name: /^Workspace/ })
          .first()
          .click(),
    ],
  ];
  for (const [name, show] of open) {
    await show();
    await expect(page.locator("dialog[open], [role=menu]")).toBeVisible();
    await page.screenshot({ path: `../target/web/pictures/open-${name.replace(" ", "-")}.png` });
    const { violations } = await new AxeBuilder({ page }).include("dialog[open], [role=menu]").analyze();
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
      name,
    ).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(page.locator("dialog[open], [role=menu]")).toHaveCount(0);
  }
});
