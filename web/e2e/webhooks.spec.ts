import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { inspect, inspectOpen } from "./inspect";
import { connect, expect, post, signUp, test } from "./world";

const ANSWER = `<script>document.title='owned'</script>no`;

/** A program that takes webhooks: what it got, and what it answers next, which is 204 once that is used up. */
async function receiver() {
  const got: { headers: IncomingHttpHeaders; body: string }[] = [];
  const answers: { status: number; text: string }[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      got.push({ headers: request.headers, body: Buffer.concat(pieces).toString() });
      const { status, text } = answers.shift() ?? { status: 204, text: "" };
      response.writeHead(status, { "content-type": "text/html" }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return { got, answers, url, close: () => server.close() };
}

async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
}

const row = (page: Page, text: string) =>
  page.getByRole("list", { name: "Deliveries" }).getByRole("listitem").filter({ hasText: text });

test("a program is told of what happens, signed, and of what it did not take again", async ({ page }) => {
  page.on("dialog", () => expect("a dialog").toBe("none"));
  const program = await receiver();
  program.answers.push({ status: 500, text: ANSWER });
  await signUp(page);
  await connect(page);
  await page.goto("/settings/webhooks");
  await page.getByRole("button", { name: "Add a webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Address").fill(program.url);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  const secret = await dialog.getByLabel("The secret").inputValue();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("link", { name: program.url }).click();
  await page.getByRole("button", { name: "Send a test" }).click();
  const tried = row(page, "A test");
  await expect(tried.getByText("Response 500")).toBeVisible();
  await expect(tried.getByText("Retried later")).toBeVisible();
  await tried.getByText("Request and response").click();
  await expect(tried.getByText(ANSWER)).toBeVisible();
  await expect(tried.getByText('"type": "webhook.test"')).toBeVisible();
  await tried.getByRole("button", { name: "Send again: A test" }).click();
  await expect(tried.getByText("Delivered", { exact: true })).toBeVisible();
  await expect(tried.getByText("2 attempts")).toBeVisible();
  expect(program.got.map(({ headers }) => headers["webhook-id"])).toEqual(
    Array(2).fill(program.got[0]?.headers["webhook-id"]),
  );
  const { headers, body } = program.got[1] ?? { headers: {}, body: "" };
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  expect(headers["webhook-signature"]).toContain(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  const scheduledFor = new Date(Date.now() + 3_600_000).toISOString();
  const id = await post(page, "Told at once", { mode: "schedule", scheduledFor });
  for (const event of ["A post was created", "A post is scheduled"])
    await expect(row(page, event).getByText("Delivered", { exact: true })).toBeVisible();
  const told = program.got.map(({ body }) => JSON.parse(body) as { type: string; data: { id: string } });
  expect(told.find(({ type }) => type === "post.queued")).toMatchObject({ data: { id } });
  program.answers.push({ status: 410, text: "" });
  await page.getByRole("button", { name: "Send a test" }).click();
  await expect(row(page, "Not delivered")).toBeVisible();
  await expect(page.getByText("Switched off: the receiver is gone")).toBeVisible();
  program.close();
});

test("a webhook is added, changed and deleted, and nothing of its address runs", async ({ page }) => {
  page.on("dialog", () => expect("a dialog").toBe("none"));
  await signUp(page);
  await page.goto("/settings/webhooks");
  await expect(page.getByText("No webhooks yet")).toBeVisible();
  await page.getByRole("button", { name: "Add a webhook" }).click();
  const dialog = page.getByRole("dialog");
  const add = dialog.getByRole("button", { name: "Add", exact: true });
  await add.click();
  await expect(dialog.getByText("Enter an address that begins with https://.")).toBeVisible();
  for (const [address, problem] of [
    ["ftp://hooks.example/", "https"],
    ["https://10.0.0.1/hook", "must not lead to a private address"],
  ] as const) {
    await dialog.getByLabel("Address").fill(address);
    await add.click();
    await expect(dialog.getByText(problem).last()).toBeVisible();
  }
  await dialog.getByLabel("Address").fill(`https://hooks.example/<img src=x onerror="document.title='owned'">`);
  await dialog.getByLabel("A file can be used").uncheck();
  await add.click();
  const first = await dialog.getByLabel("The secret").inputValue();
  expect(first).toMatch(/^whsec_/);
  await dialog.getByRole("button", { name: "Done" }).click();
  expect(await page.content()).not.toContain(first);
  await expect(page.getByText("12 events")).toBeVisible();
  await page.getByRole("link", { name: /^https:..hooks.example/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "hooks.example" })).toBeVisible();
  await choose(page, "New secret");
  await dialog.getByRole("button", { name: "Create a new secret" }).click();
  expect(await dialog.getByLabel("The secret").inputValue()).not.toBe(first);
  await dialog.getByRole("button", { name: "Done" }).click();
  await choose(page, "Switch off");
  await expect(page.getByText("Switched off", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
  await choose(page, "Change");
  await dialog.getByLabel("Address").fill("https://elsewhere.example/in");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "elsewhere.example" })).toBeVisible();
  await choose(page, "Delete");
  await expect(dialog).toContainText("https://elsewhere.example/in");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("No webhooks yet")).toBeVisible();
  await expect(page).toHaveTitle("Webhooks · Playout");
});

test("axe finds nothing on the pages of webhooks", async ({ page }) => {
  const program = await receiver();
  program.answers.push({ status: 500, text: ANSWER });
  await signUp(page);
  await inspect(page, "webhooks-empty", "/settings/webhooks", "Webhooks");
  await page.getByRole("button", { name: "Add a webhook" }).click();
  await inspectOpen(page, "webhook-new");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Address").fill(`${program.url}/a/very/long/way/to/what/takes/the/events?of=this-workspace`);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog.getByLabel("The secret")).toBeVisible();
  await inspectOpen(page, "webhook-secret");
  await dialog.getByRole("button", { name: "Done" }).click();
  await inspect(page, "webhooks", "/settings/webhooks", "Webhooks");
  await page.getByRole("link", { name: /^http:/ }).click();
  const path = new URL(page.url()).pathname;
  await page.getByRole("button", { name: "Send a test" }).click();
  await expect(page.getByText("Retried later")).toBeVisible();
  await inspect(page, "webhook", path, new URL(program.url).host);
  await page.getByText("Request and response").click();
  await inspectOpen(page, "webhook-delivery");
  program.close();
});
