/** Who and what gets in: accounts at the provider, keys, members. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { inspectOpen } from "./inspect";
import { call, connect, expect, PASSWORD, post, signUp, test } from "./world";

const CLIP = join(import.meta.dirname, "../../assets/demo/clip.mp4");

interface Said {
  code: number;
  out: string;
  err: string;
}

/** Runs the command line as a person would with this key. */
function playout(program: string, args: string[], env: Record<string, string>): Promise<Said> {
  const clean = { PATH: process.env.PATH ?? "", PLAYOUT_KEYRING: "off", ...env };
  return new Promise((resolve) => {
    execFile(program, args, { env: clean }, (error, out, err) => {
      resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, out, err });
    });
  });
}

test("a key is made on the page, used by the command line, and refused once it is revoked", async ({ page }, info) => {
  const { playoutd } = info.config.metadata as { playoutd: string };
  const program = process.env.PLAYOUT ?? join(dirname(playoutd), "playout");
  expect(existsSync(program), `${program} is built`).toBe(true);
  await signUp(page);
  await connect(page);
  await page.goto("/settings/keys");
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByLabel("Name").fill("Night shift");
  await page.getByRole("dialog").getByRole("button", { name: "Create a key" }).click();
  const key = await page.getByLabel("The new key").inputValue();
  await page.getByRole("button", { name: "Done" }).click();
  const home = info.outputPath("home");
  const env = { PLAYOUT_API_URL: new URL(page.url()).origin, PLAYOUT_API_KEY: key, HOME: home };
  await page.goto("/media");
  await expect(page.getByText("Nothing here yet")).toBeVisible();
  const listed = await playout(program, ["platforms", "list"], env);
  expect(listed, listed.err).toMatchObject({ code: 0 });
  expect(listed.out).toContain("Kite Studio");
  const uploaded = await playout(program, ["media", "upload", CLIP], env);
  expect(uploaded, uploaded.err).toMatchObject({ code: 0 });
  // The page that is open shows it by itself.
  await expect(page.getByRole("list", { name: "Files" }).getByText("clip.mp4")).toBeVisible();
  await page.goto("/settings/keys");
  await expect(page.getByText(/^Used/)).toBeVisible();
  await page.getByRole("button", { name: "Revoke Night shift" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("No keys yet")).toBeVisible();
  const refused = await playout(program, ["platforms", "list"], env);
  expect(refused.code).not.toBe(0);
  expect(refused.out + refused.err).toContain("invalid_api_key");
});

test("an account is disconnected at the provider and connected again, and what waited goes out", async ({
  page,
  request,
  simulator,
}) => {
  await signUp(page);
  await connect(page);
  // Due once the access is revoked, also on a busy machine.
  const scheduledFor = new Date(Date.now() + 20_000).toISOString();
  const id = await post(page, "Held back by the wind", { mode: "schedule", scheduledFor });
  const revoked = await request.post(`${simulator}/sim/accounts/kitestudio/revoke`, { data: {} });
  expect(revoked.ok(), await revoked.text()).toBe(true);
  await page.goto("/");
  const needs = page.getByRole("list", { name: "Needs you" });
  const account = needs.getByRole("link", { name: "Kite Studio must be connected again" });
  await expect(account).toBeVisible();
  await expect(needs.getByRole("link", { name: "Held back by the wind" })).toBeVisible();
  await account.click();
  await page.getByRole("button", { name: "Connect again" }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Kite Studio is connected again. The post that waited for it continues.")).toBeVisible();
  await page.goto(`/posts/${id}`);
  await expect(page.getByRole("link", { name: "Open the live post" })).toBeVisible();
  await page.goto("/");
  await expect(page.getByText("Nothing needs you.")).toBeVisible();
});

test("a member is invited, writes posts, and is kept from what admins do; as an admin they are not", async ({
  page,
  browser,
  baseURL,
}) => {
  const email = await signUp(page);
  await connect(page);
  const invited = `bob.${email}`;
  await page.goto("/settings/members");
  await page.getByRole("button", { name: "Invite someone" }).click();
  await page.getByLabel("E-mail").fill(invited);
  await page.getByLabel("Role", { exact: true }).selectOption("Member");
  await page.getByRole("button", { name: "Send the invitation" }).click();
  // No mail goes out here: the inviter is shown the link.
  await expect(page.getByRole("heading", { name: `Send ${invited} this link` })).toBeVisible();
  const link = await page.getByLabel("The invitation's link").inputValue();
  const token = new URL(link).searchParams.get("token");
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("Invited as member")).toBeVisible();
  const me = await call<{ organizations: { id: string }[] }>(page, "GET", "/app/v1/me");
  const organization = me.organizations[0]?.id;
  const theirs = await browser.newContext(baseURL ? { baseURL } : {});
  const bob = await theirs.newPage();
  await bob.goto(`/accept-invitation?token=${token}`);
  await expect(bob.getByRole("heading", { name: "Join Kites" })).toBeVisible();
  await expect(bob.getByText(`${email} invites you.`)).toBeVisible();
  await inspectOpen(bob, "invitation");
  await bob.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await bob.getByRole("button", { name: "Sign up and join" }).click();
  await expect(bob.getByRole("heading", { name: "Today", exact: true })).toBeVisible();
  await expect(page.getByRole("list", { name: "Members" }).getByText(invited)).toBeVisible();
  for (const closed of ["keys", "webhooks", "audit"]) {
    await bob.goto(`/settings/${closed}`);
    await expect(bob.getByText("For owners and admins")).toBeVisible();
  }
  await bob.goto("/accounts");
  await expect(bob.getByText("Kite Studio")).toBeVisible();
  await expect(bob.getByRole("button", { name: "Connect an account" })).toHaveCount(0);
  const asked = await bob.request.get("/app/v1/keys", { headers: { "x-organization-id": organization ?? "" } });
  expect(asked.status()).toBe(403);
  await post(bob, "Bob was here", { mode: "draft" });
  await page.goto("/posts");
  await expect(page.getByRole("link", { name: "Bob was here" })).toBeVisible();
  // The user's role changes while the page is open.
  await bob.goto("/settings/keys");
  await expect(bob.getByText("For owners and admins")).toBeVisible();
  await page.goto("/settings/members");
  await page.getByLabel(`Role of ${invited}`).selectOption("Admin");
  await expect(bob.getByRole("button", { name: "Create a key" })).toBeVisible();
  await bob.goto(`/accept-invitation?token=${token}`);
  await expect(bob.getByRole("heading", { name: "This invitation does not work" })).toBeVisible();
  await theirs.close();
});

test("an invitation is for its address: whoever is signed in as somebody else is told, signs in and joins", async ({
  page,
  browser,
  baseURL,
}) => {
  const email = await signUp(page);
  const theirs = await browser.newContext(baseURL ? { baseURL } : {});
  const tab = await theirs.newPage();
  const invited = await signUp(tab);
  await theirs.clearCookies();
  const stranger = await signUp(tab);
  const me = await call<{ organizations: { id: string }[] }>(page, "GET", "/app/v1/me");
  const invitations = `/app/v1/organizations/${me.organizations[0]?.id}/invitations`;
  const made = await call<{ token: string }>(page, "POST", invitations, { email: invited, role: "admin" });
  await tab.goto(`/accept-invitation?token=${made.token}`);
  await expect(tab.getByText(`This invitation is for ${invited}, and you are signed in as ${stranger}.`)).toBeVisible();
  await tab.getByRole("button", { name: "Use the invited account" }).click();
  await tab.getByLabel("E-mail").fill(invited);
  await tab.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await tab.getByRole("button", { name: "Sign in" }).click();
  await expect(tab.getByText(`${email} invites you.`)).toBeVisible();
  await tab.getByRole("button", { name: "Join Kites" }).click();
  await expect(tab.getByRole("heading", { name: "Today", exact: true })).toBeVisible();
  type Me = { organizations: { role: string }[] };
  const mine = (await (await tab.request.get("/app/v1/me")).json()) as Me;
  expect(mine.organizations.map(({ role }) => role)).toEqual(["owner", "admin"]);
  await theirs.close();
});
