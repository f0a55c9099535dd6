import { call, connect, expect, PASSWORD, post, signUp, test } from "./world";

test("somebody signs up, connects their first account and sees the next step", async ({ page }) => {
  await signUp(page);
  await expect(page.getByRole("heading", { name: "Three steps to your first post" })).toBeVisible();
  await connect(page);
  await page.getByRole("link", { name: "Home" }).click();
  const steps = page.getByRole("listitem").filter({ hasText: "Connect an account" });
  await expect(steps.getByText("Done")).toBeVisible();
  await expect(page.getByRole("link", { name: "Upload" })).toBeVisible();
});

test("who comes for a page signs in first and comes back to it", async ({ page, context }) => {
  const email = await signUp(page);
  await context.clearCookies();
  await page.goto("/posts?state=ERROR");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("wrong horse battery");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Posts" })).toBeVisible();
  expect(new URL(page.url()).search).toBe("?state=ERROR");
});

test("a key is shown once, works, and is refused once it is revoked", async ({ page }) => {
  await signUp(page);
  await page.goto("/settings/keys");
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByLabel("Name").fill("Night <b>shift</b>");
  await page.getByRole("dialog").getByRole("button", { name: "Create a key" }).click();
  const key = await page.getByLabel("The new key").inputValue();
  expect(key).toMatch(/^svc_sk_/);
  await page.getByRole("button", { name: "Done" }).click();
  const use = () => page.request.get("/public/v1/platforms", { headers: { authorization: `Bearer ${key}` } });
  expect((await use()).status()).toBe(200);
  await page.reload();
  await expect(page.getByText(`svc_sk_…${key.slice(-4)}`)).toBeVisible();
  expect(await page.content()).not.toContain(key);
  await page.getByRole("button", { name: "Revoke Night <b>shift</b>" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("No keys yet")).toBeVisible();
  expect((await use()).status()).toBe(401);
});

test("a failed post is found, understood and published again", async ({ page, request, simulator }) => {
  await signUp(page);
  await connect(page);
  const fate = { reason: "spam_risk_text", captionContains: "#toowindy", times: 1 };
  await request.post(`${simulator}/sim/fates`, { data: fate });
  await post(page, "A gust took it #toowindy", { mode: "now" });
  await page.goto("/");
  const row = page.getByRole("list", { name: "Needs you" }).getByRole("link", { name: "A gust took it" });
  await expect(row).toBeVisible();
  await row.click();
  await expect(page.getByText("Refused", { exact: true })).toBeVisible();
  await expect(page.getByText("You can act.")).toBeVisible();
  const code = page.getByText("spam_risk_text", { exact: true });
  await expect(code).toBeHidden();
  await page.getByText("Technical details").click();
  await expect(code).toBeVisible();
  // It fails again before the page has seen it queued: what the second click sends is another request.
  const keys: (string | undefined)[] = [];
  await page.route("**/app/v1/posts/*/publish", async (route, asked) => {
    keys.push(asked.headers()["idempotency-key"]);
    if (keys.length > 1) return route.continue();
    const group = await call<object>(page, "GET", asked.url().replace(/.*(\/app.*)\/publish$/, "$1"));
    await route.fulfill({ status: 200, json: { ...group, warnings: [] } });
  });
  const again = page.getByRole("button", { name: "Publish again" });
  await again.click();
  await expect(page.getByText("It is being published.").first()).toBeVisible();
  await again.click();
  await expect(page.getByRole("link", { name: "Open the live post" })).toBeVisible();
  expect(new Set(keys).size).toBe(2);
});

test("posts are found, moved together, moved back and deleted", async ({ page }) => {
  await signUp(page);
  await connect(page);
  const scheduledFor = new Date(Date.now() + 7 * 86_400_000).toISOString();
  const ids = [
    await post(page, "Low tide", { mode: "schedule", scheduledFor }),
    await post(page, "High tide", { mode: "schedule", scheduledFor }),
  ];
  const times = async () => {
    const groups = ids.map((id) => call<{ root: { scheduledFor: string } }>(page, "GET", `/app/v1/posts/${id}`));
    return (await Promise.all(groups)).map(({ root }) => Date.parse(root.scheduledFor));
  };
  const before = await times();
  await page.goto("/posts");
  await page.getByLabel("Search the captions").fill("low");
  await expect(page.getByRole("link", { name: "High tide" })).toBeHidden();
  await page.getByLabel("Search the captions").fill("");
  await expect(page.getByRole("link", { name: "High tide" })).toBeVisible();
  await page.getByLabel("Select all that are shown").check();
  await page.getByRole("button", { name: "Reschedule" }).click();
  await page.getByLabel("Unit").selectOption("hours");
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await expect(page.getByText("2 posts moved.")).toBeVisible();
  expect(await times()).toEqual(before.map((time) => time + 3_600_000));
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(times).toEqual(before);
  await page.getByLabel("Select: Low tide").check();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("dialog")).toContainText("Low tide");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("link", { name: "Low tide" })).toBeHidden();
  await expect(page.getByRole("link", { name: "High tide" })).toBeVisible();
});

test("the keyboard alone leads everywhere, and the focus comes back", async ({ page }) => {
  await signUp(page);
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await expect(page.getByRole("heading", { name: "Posts" })).toBeVisible();
  await page.keyboard.press("/");
  await expect(page.getByLabel("Search the captions")).toBeFocused();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Keyboard shortcuts" }).focus();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Keyboard shortcuts" })).toBeFocused();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("members");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("accounts");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Accounts" })).toBeVisible();
});

test("without a script somebody signs in on the plain page", async ({ browser, page }) => {
  const email = await signUp(page);
  const plain = await browser.newContext({ javaScriptEnabled: false, baseURL: new URL(page.url()).origin });
  const tab = await plain.newPage();
  await tab.goto("/sign-in?next=/device");
  await tab.waitForURL(/plain=1/);
  await tab.getByLabel("E-mail").fill(email);
  await tab.getByLabel("Password").fill(PASSWORD);
  await tab.getByRole("button", { name: "Sign in" }).click();
  await tab.waitForURL(/\/device\?plain=1$/);
  await plain.close();
});
