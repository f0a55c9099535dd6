import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "./world";

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

test("the reference has the dashboard's looks: axe finds nothing and nothing sticks out, in both themes and sizes", async ({
  page,
}) => {
  test.setTimeout(180_000);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.goto("/docs");
      await expect(page.getByRole("heading", { level: 1, name: "Playout API" })).toBeVisible();
      await page.screenshot({ path: `../target/web/pictures/docs-${size.width}-${colorScheme}.png` });
      const { violations } = await new AxeBuilder({ page }).analyze();
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
      expect(found, `${colorScheme} ${size.width}`).toEqual([]);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(over, `sticks out at ${size.width}`).toBeLessThanOrEqual(0);
    }
  }
});

test("the reference is searched with the keyboard, and goes back to its contents", async ({ page }) => {
  await page.goto("/docs");
  const contents = page.getByRole("link", { name: "GET Get usage" });
  await expect(contents).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.type("media upload");
  await expect(page.getByRole("status")).toHaveText(/^\d+ found$/);
  await expect(contents).toBeHidden();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs#\w+/);
  await page.getByRole("searchbox").fill("quota_nothing");
  await expect(page.getByRole("status")).toHaveText("0 found");
  await page.keyboard.press("Escape");
  await expect(contents).toBeVisible();
});

test("the reference is whole without a script", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? "" });
  const page = await context.newPage();
  await page.goto("/docs");
  await expect(page.getByRole("searchbox")).toBeHidden();
  await page.getByRole("link", { name: "POST Create a post" }).first().click();
  await expect(page).toHaveURL(/\/docs#createPost$/);
  await context.close();
});
