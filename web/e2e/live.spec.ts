import { call, connect, expect, PASSWORD, post, signUp, test } from "./world";

/** A browser opens six connections to a host: with a stream for each tab the last of so many would show nothing. */
const TABS = 8;

test("a colleague and every tab see what happens as it happens", async ({ page, context, browser, baseURL }) => {
  const email = await signUp(page);
  await connect(page);
  const me = await call<{ organizations: { id: string }[] }>(page, "GET", "/app/v1/me");
  const invitations = `/app/v1/organizations/${me.organizations[0]?.id}/invitations`;
  const invited = `bob.${email}`;
  const { token } = await call<{ token: string }>(page, "POST", invitations, { email: invited });
  const theirs = await browser.newContext(baseURL ? { baseURL } : {});
  const joined = await theirs.request.post("/app/v1/auth/sign-up", {
    data: { email: invited, password: PASSWORD, invitation: token },
  });
  expect(joined.ok(), await joined.text()).toBe(true);
  const colleague = await theirs.newPage();
  const stream = colleague.waitForResponse("/app/v1/events");
  await colleague.goto("/posts");
  expect((await stream).status()).toBe(200);
  await expect(colleague.getByText("No posts in the last 30 days")).toBeVisible();
  // A page that has a stream does not poll (`usePollInterval`): what it shows now came by the stream.
  await post(page, "Seen at once", { mode: "draft" });
  await expect(colleague.getByRole("link", { name: "Seen at once" })).toBeVisible();

  const tabs = [page];
  while (tabs.length < TABS) tabs.push(await context.newPage());
  for (const tab of tabs) {
    await tab.goto("/posts");
    await expect(tab.getByRole("link", { name: "Seen at once" })).toBeVisible();
  }
  await post(colleague, "Seen in every tab", { mode: "now" });
  for (const tab of tabs) await expect(tab.getByRole("link", { name: "Seen in every tab" })).toBeVisible();
  // The tab that reads for the others goes; another takes over.
  await page.close();
  for (const tab of [...tabs.slice(1), colleague]) {
    const row = tab.getByRole("row").filter({ hasText: "Seen in every tab" });
    await expect(row.getByText("Published")).toBeVisible();
  }
  await theirs.close();
});
