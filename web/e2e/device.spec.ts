import type { Browser, Page } from "@playwright/test";
import { inspectOpen } from "./inspect";
import { call, connect, expect, PASSWORD, signUp, test } from "./world";

interface Codes {
  device_code: string;
  user_code: string;
  verification_uri_complete: string;
}

/** A program on another machine, as it speaks to the service. */
function program(page: Page, origin: string) {
  const start = async (client_name: string, scope?: string): Promise<Codes> => {
    const data = { client_name, ...(scope ? { scope } : {}) };
    const answer = await page.request.post(`${origin}/auth/device/start`, { data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return (await answer.json()) as Codes;
  };
  const ask = async ({ device_code }: Codes) => {
    const answer = await page.request.post(`${origin}/auth/device/token`, { data: { device_code } });
    return { status: answer.status(), ...((await answer.json()) as { api_key?: string; error?: string }) };
  };
  return { start, ask };
}

const NAME = `kite <img src=x onerror="document.title='owned'">`;

test("a program is let in from a link, by whoever signs in on the way, and gets a key that works", async ({
  page,
  context,
  baseURL,
}) => {
  const email = await signUp(page);
  const { start, ask } = program(page, baseURL ?? "");
  const codes = await start(NAME);
  await context.clearCookies();
  const link = new URL(codes.verification_uri_complete);
  await page.goto(link.pathname + link.search);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Is this the code that your program shows?")).toBeVisible();
  await expect(page.getByLabel("Code")).toHaveValue(codes.user_code);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Approve this program?" })).toBeFocused();
  await expect(page.getByText(NAME)).toBeVisible();
  await expect(page.getByText("127.0.0.1")).toBeVisible();
  await expect(page.getByText("just now").first()).toBeVisible();
  await inspectOpen(page, "device-asks");
  await page.setViewportSize({ width: 390, height: 844 });
  await inspectOpen(page, "device-asks-390");
  // Yes and no weigh the same.
  const [yes, no] = await Promise.all(
    ["Approve", "Deny"].map((name) => page.getByRole("button", { name }).boundingBox()),
  );
  expect([yes?.width, yes?.height]).toEqual([no?.width, no?.height]);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("You can close this window.")).toBeVisible();
  const { api_key } = await ask(codes);
  const used = await page.request.get("/public/v1/platforms", { headers: { authorization: `Bearer ${api_key}` } });
  expect(used.status()).toBe(200);
  await page.getByRole("link", { name: "See the keys" }).click();
  await expect(page.getByText(NAME)).toBeVisible();
  await expect(page).toHaveTitle("API keys · Playout");
});

test("a code is typed in any spelling, a wrong one is told, and a program that is denied gets nothing", async ({
  page,
  baseURL,
}) => {
  await signUp(page);
  const { start, ask } = program(page, baseURL ?? "");
  const codes = await start("Gull");
  await page.goto("/device");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Enter the code.", { exact: true })).toBeVisible();
  for (const wrong of ["SVC-2222-2222", "a/../b", "start"]) {
    await page.getByLabel("Code").fill(wrong);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByText(/^No program waits with this code/)).toBeVisible();
  }
  await page.getByLabel("Code").fill(codes.user_code.replaceAll("-", " ").toLowerCase());
  await page.getByLabel("Code").press("Enter");
  await expect(page.getByText("Gull", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByRole("heading", { name: "Denied" })).toBeVisible();
  expect(await ask(codes)).toMatchObject({ status: 400, error: "access_denied" });
  // What was decided is not decided again.
  await page.goto(`/device?user_code=${codes.user_code}`);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText(/^No program waits with this code/)).toBeVisible();
});

test("of several workspaces one is chosen, and the key belongs to it", async ({ page, baseURL }) => {
  await signUp(page);
  const origin = new URL(page.url()).origin;
  const made = await page.request.post("/app/v1/organizations", { headers: { origin }, data: { name: "Harbour" } });
  const { id } = (await made.json()) as { id: string };
  const { start, ask } = program(page, baseURL ?? "");
  const codes = await start("Gull");
  await page.goto(`/device?user_code=${codes.user_code}`);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Workspace").selectOption("Harbour");
  await expect(page.getByText(/^With your approval it gets a key of Harbour:/)).toBeVisible();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { name: "Approved" })).toBeVisible();
  const { api_key } = await ask(codes);
  expect(api_key).toMatch(/^svc_sk_/);
  const headers = { "x-organization-id": id };
  const { keys } = (await (await page.request.get("/app/v1/keys", { headers })).json()) as { keys: { name: string }[] };
  expect(keys.map(({ name }) => name)).toEqual(["Gull"]);
});

test("a program gets less than it asks for: some scopes, one account, a week", async ({ page, baseURL }) => {
  await signUp(page);
  await connect(page);
  const { platforms } = await call<{ platforms: { id: string }[] }>(page, "GET", "/app/v1/platforms");
  const { start, ask } = program(page, baseURL ?? "");
  const codes = await start("Gull", "media publish webhooks");
  await page.goto(`/device?user_code=${codes.user_code}`);
  await page.getByRole("button", { name: "Continue" }).click();
  const box = (name: string) => page.getByRole("checkbox", { name, exact: true });
  // What it asks for, with what that includes, and nothing else.
  await expect(page.getByRole("checkbox")).toHaveCount(5);
  for (const name of ["Read", "Media", "Drafts", "Publish", "Webhooks"]) await expect(box(name)).toBeChecked();
  for (const included of ["Read", "Drafts"]) await expect(box(included)).toBeDisabled();
  await expect(
    page.getByText(/^With your approval it gets a key of Kites: .*; write, schedule, publish/),
  ).toBeVisible();
  await expect(page.getByLabel("Expires")).toHaveValue("quarter");
  const approve = page.getByRole("button", { name: "Approve" });
  for (const name of ["Publish", "Drafts", "Media", "Webhooks", "Read"]) await box(name).uncheck();
  await expect(page.getByRole("status").getByText("Choose at least one thing that it may do.")).toBeVisible();
  await expect(approve).toBeDisabled();
  await expect(approve).toHaveAccessibleDescription("Choose at least one thing that it may do.");
  await expect(page.getByRole("button", { name: "Deny" })).toBeEnabled();
  await box("Drafts").check();
  await box("Webhooks").check();
  await page.getByRole("radio", { name: "Only these" }).check();
  await expect(box("Webhooks")).toBeDisabled();
  await expect(page.getByText("Choose at least one account, or all accounts.")).toBeVisible();
  await expect(approve).toBeDisabled();
  await box("Kite Studio").check();
  await page.getByLabel("Expires").selectOption("In 7 days");
  const gets = page.getByText(/^With your approval it gets a key of Kites:/);
  await expect(gets).toContainText("write and delete drafts, but not publish them.");
  await expect(gets).toContainText("only these accounts, with their posts: Kite Studio.");
  await expect(gets).not.toContainText(/media;|webhooks/);
  await inspectOpen(page, "device-narrowed");
  await page.setViewportSize({ width: 360, height: 740 });
  await inspectOpen(page, "device-narrowed-360");
  await approve.click();
  await expect(page.getByRole("heading", { name: "Approved" })).toBeVisible();
  const { api_key } = await ask(codes);
  expect(api_key).toMatch(/^svc_sk_/);
  const { keys } = await call<{ keys: { expiresAt: string }[] }>(page, "GET", "/app/v1/keys");
  expect(keys).toMatchObject([{ name: "Gull", scopes: ["read", "drafts"], platformIds: [platforms[0]?.id] }]);
  expect(Date.parse(keys[0]?.expiresAt ?? "")).toBeLessThanOrEqual(Date.now() + 7 * 86_400_000);
  await page.getByRole("link", { name: "See the keys" }).click();
  await expect(page.getByText("Drafts · only Kite Studio")).toBeVisible();
});

test("without a script a program is let in on the plain page", async ({ page, browser, baseURL }) => {
  const email = await signUp(page);
  const { start, ask } = program(page, baseURL ?? "");
  const codes = await start("Gull");
  const tab = await withoutScript(browser, baseURL);
  await tab.goto(`/device?user_code=${codes.user_code}`);
  await tab.waitForURL(/\/sign-in\?.*plain=1$/);
  await tab.getByLabel("E-mail").fill(email);
  await tab.getByLabel("Password").fill(PASSWORD);
  await tab.getByRole("button", { name: "Sign in" }).click();
  await tab.waitForURL(/\/device\?.*plain=1/);
  await expect(tab.getByLabel("Code")).toHaveValue(codes.user_code);
  await tab.getByRole("button", { name: "Continue" }).click();
  await tab.getByRole("button", { name: "Approve" }).click();
  await tab.waitForURL(/\/device\/approved$/);
  expect((await ask(codes)).api_key).toMatch(/^svc_sk_/);
  await tab.context().close();
});

async function withoutScript(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) });
  return context.newPage();
}
