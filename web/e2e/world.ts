/** What the journeys have in common: a person with a workspace of their own, and a page that must stay in order. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test as base, expect, type Page } from "@playwright/test";

export { expect };

const ASSETS = join(import.meta.dirname, "../../assets/demo");
export const PASSWORD = "correct horse battery";

/** A browser's page; a script that breaks and anything that the policy forbids fail the test. */
export const test = base.extend<{ simulator: string }>({
  simulator: async ({ browserName: _ }, use, info) => use(String(info.config.metadata.simulator)),
  page: async ({ page }, use) => {
    const broken: string[] = [];
    page.on("pageerror", (error) => broken.push(error.message));
    page.on("console", (message) => {
      // The recorder of traces fetches the pictures of local files that it finds in the page; the page itself never does.
      if (/^Connecting to 'blob:/.test(message.text())) return;
      if (/Content Security Policy|Refused to/.test(message.text())) broken.push(message.text());
    });
    await use(page);
    expect(broken).toEqual([]);
  },
});

let people = 0;

/** The zone of the browser, in `playwright.config.ts`. */
const ZONE = "Europe/Berlin";

/** Signs up a new user and opens their home; returns their address. `first-run.spec.ts` does it through the page. */
export async function signUp(page: Page): Promise<string> {
  people += 1;
  const email = `ada.${process.pid}.${people}@example.org`;
  const path = "/app/v1/auth/sign-up";
  const { origin } = new URL((await page.request.get(path)).url());
  const data = { email, password: PASSWORD, workspaceName: "Kites" };
  const response = await page.request.post(path, { headers: { origin }, data });
  expect(response.ok(), await response.text()).toBe(true);
  const { organizations } = (await response.json()) as { organizations: { id: string }[] };
  const workspace = `/app/v1/organizations/${organizations[0]?.id}`;
  await page.request.patch(workspace, { headers: { origin }, data: { timeZone: ZONE } });
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Today", exact: true })).toBeVisible();
  return email;
}

/** Connects an account: the link, the consent at the provider, and the way back, which is all that the page sees of it. */
export async function connect(page: Page): Promise<void> {
  const link = await call<{ authorizationUrl: string }>(page, "POST", "/app/v1/platforms/connect", {
    provider: "tiktok",
  });
  const form = { account: "kitestudio", decision: "approve" };
  const approved = await page.request.post(link.authorizationUrl, { form, maxRedirects: 0 });
  await page.goto(approved.headers().location ?? "");
  await expect(page.getByText("Kite Studio is connected.")).toBeVisible();
}

/** Calls the service as the page does. */
export async function call<T>(page: Page, method: string, path: string, data?: unknown): Promise<T> {
  const origin = new URL(page.url()).origin;
  const me = (await (await page.request.get("/app/v1/me")).json()) as { organizations: { id: string }[] };
  const headers = { origin, "x-organization-id": me.organizations[0]?.id ?? "" };
  const body = data instanceof Uint8Array ? { multipart: clip(data) } : data === undefined ? {} : { data };
  const response = await page.request.fetch(path, { method, headers, ...body });
  expect(response.ok(), `${method} ${path}: ${response.status()} ${await response.text()}`).toBe(true);
  return (response.status() === 204 ? undefined : await response.json()) as T;
}

const clip = (bytes: Uint8Array) => ({ file: { name: "clip.mp4", mimeType: "video/mp4", buffer: Buffer.from(bytes) } });

/** Uploads the clip and makes a post of it; answers the post's ID. */
export async function post(
  page: Page,
  content: string,
  when: { mode: string; scheduledFor?: string },
): Promise<string> {
  const { platforms } = await call<{ platforms: { id: string }[] }>(page, "GET", "/app/v1/platforms?all=true");
  const media = await call<{ id: string }>(page, "POST", "/app/v1/media", readFileSync(join(ASSETS, "clip.mp4")));
  const body = {
    platformIds: [platforms[0]?.id],
    content,
    mediaIds: [media.id],
    settings: { privacy_level: "PUBLIC_TO_EVERYONE" },
    ...when,
  };
  const made = await call<{ results: { post?: { root: { id: string } } }[] }>(page, "POST", "/app/v1/posts", body);
  const created = made.results[0]?.post;
  if (!created) throw new Error(`no post was made: ${JSON.stringify(made)}`);
  return created.root.id;
}
