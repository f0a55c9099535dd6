import { inspect } from "./inspect";
import { expect, test } from "./world";

test("the reference has the dashboard's looks: axe finds nothing and nothing sticks out, in both themes and sizes", async ({
  page,
}) => {
  await inspect(page, "docs", "/docs", "Playout API");
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
