import { inspect, violations } from "./inspect";
import { call, expect, signUp, test } from "./world";

test("the reference has the dashboard's looks: axe finds nothing and nothing sticks out, in both themes and sizes", async ({
  page,
}) => {
  await inspect(page, "docs", "/docs", "Playout API");
});

test("guides have the dashboard's looks, and lead from one to the next", async ({ page }) => {
  await inspect(page, "guide-quick-start", "/docs/quick-start", "Quick start");
  await inspect(page, "guide-webhooks", "/docs/webhooks", "Webhooks");
  await inspect(page, "guide-errors", "/docs/errors", "Errors");
  await page.goto("/docs/quick-start");
  await expect(page.getByRole("link", { name: "Quick start" })).toHaveAttribute("aria-current", "page");
  await page.getByRole("link", { name: "Uploads →" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Uploads" })).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs\/uploads#main$/);
});

test("a language chosen for one sample is chosen for all pages, with the keyboard too", async ({ page }) => {
  await page.goto("/docs");
  const sample = page.locator("#createPost .tabs");
  await expect(sample.locator("pre:visible")).toHaveClass("curl");
  await sample.getByText("Python", { exact: true }).click();
  await expect(sample.locator("pre:visible")).toHaveClass("python");
  await expect(page.locator("#listPosts .tabs pre:visible")).toHaveClass("python");
  await page.keyboard.press("ArrowRight");
  await expect(sample.locator("pre:visible")).toHaveClass("typescript");
  await expect(page.locator("#getUsage .tabs pre:visible")).toHaveClass("typescript");
  await page.goto("/docs/quick-start");
  await expect(page.locator(".tabs pre:visible").first()).toHaveClass("typescript");
});

test("the explorer calls the service with a key that only the page's memory has", async ({ page, baseURL }) => {
  await signUp(page);
  const { key } = await call<{ key: string }>(page, "POST", "/app/v1/keys", { name: "explorer" });
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== baseURL && !request.url().startsWith("data:")) foreign.push(request.url());
  });
  await page.goto("/docs");
  const list = page.locator("#listFolders");
  await list.getByText("Try it").click();
  await list.getByRole("button", { name: "Send GET" }).click();
  await expect(list.getByRole("status")).toContainText("missing_api_key");
  await list.getByLabel("API key").fill(key);
  await list.getByRole("button", { name: "Send GET" }).click();
  await expect(list.getByRole("status")).toContainText("200");
  await expect(list.getByRole("status")).toContainText("x-request-id");

  const create = page.locator("#createFolder");
  await create.getByText("Try it").click();
  await expect(create.getByLabel("API key")).toHaveValue(key);
  await expect(create.getByLabel("Body")).toHaveValue(/"name": "Kites"/);
  await create.getByRole("button", { name: "Send POST" }).click();
  await expect(create.getByRole("status")).toBeEmpty();
  await create.getByLabel("Body").focus();
  await create.getByRole("button", { name: "Send POST" }).click();
  await create.getByRole("button", { name: "Really send POST?" }).click();
  await expect(create.getByRole("status")).toContainText("201");

  const rename = page.locator("#renameFolder");
  await rename.getByText("Try it").click();
  await rename.getByRole("button", { name: "Send PATCH" }).click();
  await expect(rename.getByRole("status")).toHaveText("id is missing.");
  await list.getByRole("button", { name: "Send GET" }).click();
  await expect(list.getByRole("status")).toContainText('"name": "Kites"');

  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  expect(kept).not.toContain(key);
  expect(page.url()).not.toContain(key);
  await page.reload();
  await list.getByText("Try it").click();
  await expect(list.getByLabel("API key")).toHaveValue("");
  expect(foreign).toEqual([]);
});

test("the explorer uploads a file and shows a picture", async ({ page }) => {
  await signUp(page);
  const { key } = await call<{ key: string }>(page, "POST", "/app/v1/keys", { name: "explorer" });
  await page.goto("/docs");
  const upload = page.locator("#uploadMedia");
  await upload.getByText("Try it").click();
  // A slash is typed, although it opens the search elsewhere.
  await upload.getByLabel("API key").pressSequentially("a/b");
  await expect(upload.getByLabel("API key")).toHaveValue("a/b");
  await expect(page.getByRole("searchbox")).toHaveValue("");
  await upload.getByLabel("API key").fill(key);
  await upload.getByLabel("file form", { exact: true }).setInputFiles("../assets/demo/photo-1.jpg");
  await upload.getByRole("button", { name: "Send POST" }).click();
  await upload.getByRole("button", { name: "Really send POST?" }).click();
  await expect(upload.getByRole("status")).toContainText('"status": "READY"');
  const text = (await upload.locator("pre.body").textContent()) ?? "";
  const { id } = JSON.parse(text) as { id: string };
  const preview = page.locator("#previewSlide");
  await preview.getByText("Try it").click();
  await preview.getByLabel("Body").fill(JSON.stringify({ mediaId: id, caption: "Kites", width: 90 }));
  await preview.getByRole("button", { name: "Send POST" }).click();
  await preview.getByRole("button", { name: "Really send POST?" }).click();
  await expect(preview.getByRole("img", { name: "The picture of the response" })).toBeVisible();
});

test("an opened explorer has nothing that axe finds, in both themes and sizes", async ({ page }) => {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/docs");
    const list = page.locator("#listPosts");
    await list.getByText("Try it").click();
    await list.getByRole("button", { name: "Send GET" }).click();
    await expect(list.getByRole("status")).toContainText("401");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await list.screenshot({ path: `../target/web/pictures/explorer-${width}-${colorScheme}.png` });
      expect(await violations(page, "#listPosts")).toEqual([]);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(over).toBeLessThanOrEqual(0);
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

test("a search finds what any page says, and leads to its section", async ({ page }) => {
  await page.goto("/docs/uploads");
  await page.getByRole("searchbox").fill("consumes a slot of");
  await expect(page.getByRole("status")).toHaveText("0 found");
  await page.getByRole("searchbox").fill("post_undecided");
  const found = page.locator("#found");
  const operation = found.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Publish a post now" }) });
  await expect(operation).toContainText("post_undecided");
  await found.getByRole("link", { name: "Scheduling: Move, take back, publish now" }).click();
  await expect(page).toHaveURL(/\/docs\/scheduling#move-take-back-publish-now$/);
  await expect(page.getByRole("heading", { name: "Move, take back, publish now" })).toBeInViewport();
});

test("a search finds a word that is written in two, and the help of commands", async ({ page }) => {
  await page.goto("/docs/uploads");
  const found = page.locator("#found");
  const expected = [
    ["timezone", "Scheduling: Times"],
    ["carousel", "Slideshows"],
    ["dry run import", "The client: playout posts import"],
    ["dryrun", "Create several posts"],
  ] as const;
  for (const [words, title] of expected) {
    await page.getByRole("searchbox").fill(words);
    await expect(found.getByRole("link", { name: title, exact: title === "Slideshows" })).toBeVisible();
  }
});

test("the shown sample is copied", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/docs");
  const create = page.locator("#createPost");
  await create.locator(".tabs").getByText("Python", { exact: true }).click();
  await create.getByRole("button", { name: "Copy" }).click();
  await expect(create.getByRole("button", { name: "Copied" })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await create.locator("pre.python").textContent());
});

test("the reference is whole without a script", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? "" });
  const page = await context.newPage();
  await page.goto("/docs");
  await expect(page.getByRole("searchbox")).toBeHidden();
  await page.locator("#createPost .tabs").getByText("TypeScript").click();
  await expect(page.locator("#createPost .tabs pre:visible")).toHaveClass("typescript");
  await page.getByRole("link", { name: "POST Create a post" }).first().click();
  await expect(page).toHaveURL(/\/docs#createPost$/);
  await context.close();
});
