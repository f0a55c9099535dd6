import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { call, expect, post, signUp, test } from "./world";

const ASSETS = join(import.meta.dirname, "../../assets/demo");
/** Each runs where it is taken for markup, for an attribute's end or for an address. */
const PROBE = `"><img src=x onerror="window.owned='img'"><svg onload="window.owned='svg'"></svg>`;
const SCRIPT = `<script>window.owned='script'</script>`;
const ADDRESS = `javascript:window.owned='address'`;

/** Whether anything of a probe became part of the page. */
const infected = (page: Page) =>
  page.evaluate(() => {
    const found = [...document.querySelectorAll("[onerror],[onload],script:not([src]),a[href^='javascript:']")];
    return [(window as { owned?: string }).owned, ...found.map(({ outerHTML }) => outerHTML)].filter(Boolean);
  });

test("whatever people, files, programs and the provider call things, nothing of it runs", async ({
  page,
  request,
  simulator,
  baseURL,
}) => {
  page.on("dialog", (dialog) => expect(dialog.message()).toBe("no dialog"));
  await signUp(page);
  // The provider's display name: an account of its own, so that others keep theirs.
  const account = { username: `probe${process.pid}`, nickname: `Probe ${PROBE}` };
  const added = await request.post(`${simulator}/sim/accounts`, { data: account });
  expect(added.ok(), await added.text()).toBe(true);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await page.getByRole("button", { name: "Continue to TikTok" }).click();
  await page.getByLabel(new RegExp(account.username)).check();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText(`${account.nickname} is connected.`)).toBeVisible();
  expect(await infected(page)).toEqual([]);

  // People, by the pages' own fields.
  await page.goto("/settings/profile");
  await page.getByLabel("Your name").fill(`Ada ${PROBE}`);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.goto("/settings/workspace");
  await page.getByLabel("Name", { exact: true }).fill(`Kites ${PROBE}`.slice(0, 100));
  await page.getByRole("button", { name: "Save" }).first().click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.goto("/settings/keys");
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByLabel("Name").fill(`Key ${PROBE}`.slice(0, 100));
  await page.getByRole("dialog").getByRole("button", { name: "Create a key" }).click();
  await page.getByRole("button", { name: "Done" }).click();

  // Files, folders, captions and what else programs send.
  await call(page, "POST", "/app/v1/media/folders", { name: `Folder ${PROBE}`.slice(0, 100) });
  const file = { name: `${SCRIPT}.jpg`, mimeType: "image/jpeg", buffer: readFileSync(join(ASSETS, "photo-1.jpg")) };
  await page.goto("/media");
  await page.getByLabel("Files…").first().setInputFiles(file);
  await expect(page.getByText("1 file uploaded")).toBeVisible();
  const scheduledFor = new Date(Date.now() + 3_600_000).toISOString();
  const draft = await post(page, `${SCRIPT} ${PROBE} #${SCRIPT} @${ADDRESS}`, { mode: "draft" });
  const queued = await post(page, `${PROBE} ${ADDRESS}`, { mode: "schedule", scheduledFor });
  await request.post(`${simulator}/sim/fates`, {
    data: { reason: "spam_risk_text", captionContains: "probe-fails", times: 1 },
  });
  const failed = await post(page, `probe-fails ${PROBE}`, { mode: "now" });
  const state = async () =>
    (await call<{ root: { state: string } }>(page, "GET", `/app/v1/posts/${failed}`)).root.state;
  await expect.poll(state).toBe("ERROR");
  const program = await page.request.post(`${baseURL}/auth/device/start`, { data: { client_name: `TV ${PROBE}` } });
  const { user_code } = (await program.json()) as { user_code: string };

  const { platforms } = await call<{ platforms: { id: string }[] }>(page, "GET", "/app/v1/platforms");
  const { media } = await call<{ media: { id: string }[] }>(page, "GET", "/app/v1/media");
  const paths = [
    "/",
    "/accounts",
    `/accounts/${platforms[0]?.id}`,
    "/calendar",
    "/calendar?view=list",
    `/compose?post=${draft}`,
    "/media",
    ...media.map(({ id }) => `/media?file=${id}`),
    "/posts",
    `/posts?q=${encodeURIComponent(PROBE)}`,
    `/posts/${failed}`,
    `/posts/${queued}`,
    "/slides",
    ...["audit", "keys", "members", "plan", "profile", "security", "workspace"].map((name) => `/settings/${name}`),
    // The page must treat its address as untrusted too.
    `/accounts?error=${encodeURIComponent(PROBE)}`,
    `/accounts?connected=${encodeURIComponent(PROBE)}`,
    `/calendar?date=${encodeURIComponent(PROBE)}&account=${encodeURIComponent(PROBE)}`,
    `/media?file=${encodeURIComponent(PROBE)}`,
    `/device?user_code=${encodeURIComponent(PROBE)}`,
  ];
  for (const path of paths) {
    await page.goto(path);
    await expect(page.locator("h1").first()).toBeVisible();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    expect(await infected(page), path).toEqual([]);
  }
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Today", exact: true })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("window.owned");
  await expect(page.getByRole("option").filter({ hasText: "onerror" }).first()).toBeVisible();
  expect(await infected(page)).toEqual([]);
  await page.goto(`/device?user_code=${user_code}`);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText(`TV ${PROBE}`)).toBeVisible();
  expect(await infected(page)).toEqual([]);
  // Signing in goes on to paths of ours alone.
  await page.context().clearCookies();
  await page.goto(`/sign-in?next=${encodeURIComponent(ADDRESS)}`);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  expect(await infected(page)).toEqual([]);
});
