import { join } from "node:path";
import { inspect, inspectOpen, violations } from "./inspect";
import { call, connect, expect, post, signUp, test } from "./world";

const ASSETS = join(import.meta.dirname, "../../assets/demo");
test("axe finds nothing before signing in", async ({ page }) => {
  await inspect(page, "sign-in", "/sign-in", "Sign in");
  await inspect(page, "sign-up", "/sign-up", "Create your account");
  await inspect(page, "forgot-password", "/forgot-password", "Forgotten password");
  await inspect(page, "reset-password", "/reset-password?token=1e99", "Choose a new password");
  await inspect(page, "invitation-over", "/accept-invitation?token=1e99", "This invitation does not work");
});

test("axe finds nothing in an empty workspace", async ({ page }) => {
  await signUp(page);
  await inspect(page, "home-empty", "/", "Today");
  await inspect(page, "calendar-empty", "/calendar", "Calendar");
  await inspect(page, "posts-empty", "/posts", "Posts");
  await inspect(page, "compose-empty", "/compose", "New post");
  await inspect(page, "accounts-empty", "/accounts", "Accounts");
  await inspect(page, "media-empty", "/media", "Media");
  await inspect(page, "slides-empty", "/slides", "Slides");
  await inspect(page, "device", "/device?user_code=SVC-WDJB-MJHT", "Approve a program");
  await inspect(page, "not-found", "/settings/nothing", "There is nothing here");
});

test("axe finds nothing on any page in use", async ({ page, request, simulator }) => {
  await signUp(page);
  await connect(page);
  await request.post(`${simulator}/sim/fates`, {
    data: { reason: "spam_risk_text", captionContains: "#calm", times: 1 },
  });
  const failed = await post(page, "Not a breath of wind, and still I went #calm", { mode: "now" });
  const scheduledFor = new Date(Date.now() + 3_600_000).toISOString();
  await post(page, "<img src=x onerror=alert(1)> Over the harbour", { mode: "schedule", scheduledFor });
  await call(page, "POST", "/app/v1/keys", { name: "Night shift" });
  await expect
    .poll(async () => (await call<{ root: { state: string } }>(page, "GET", `/app/v1/posts/${failed}`)).root.state)
    .toBe("ERROR");
  const { platforms } = await call<{ platforms: { id: string }[] }>(page, "GET", "/app/v1/platforms");
  const draft = await post(page, "Two squalls before noon #kites with @kite.studio", { mode: "draft" });
  const queued = await post(page, "Over the bar at high water", { mode: "schedule", scheduledFor });
  await inspect(page, "home", "/", "Today");
  await inspect(page, "calendar", "/calendar", "Calendar");
  for (const view of ["week", "day", "list"]) {
    await inspect(page, `calendar-${view}`, `/calendar?view=${view}`, "Calendar");
  }
  await inspect(page, "posts", "/posts", "Posts");
  await inspect(page, "post", `/posts/${failed}`, "Post");
  await inspect(page, "compose", "/compose", "New post");
  await inspect(page, "compose-draft", `/compose?post=${draft}`, "Edit draft");
  await inspect(page, "compose-queued", `/compose?post=${queued}`, "Edit scheduled post");
  await inspect(page, "accounts", "/accounts", "Accounts");
  await inspect(page, "account", `/accounts/${platforms[0]?.id}`, "Kite Studio");
  for (const [name, heading] of [
    ["keys", "API keys"],
    ["members", "Members"],
    ["workspace", "Workspace"],
    ["plan", "Plan"],
    ["audit", "Audit"],
    ["profile", "Profile"],
    ["security", "Security"],
  ] as const) {
    await inspect(page, name, `/settings/${name}`, heading);
  }
});

test("axe finds nothing in the library and the studio", async ({ page }) => {
  await signUp(page);
  await page.goto("/media");
  const files = ["clip.mp4", "photo-1.jpg", "photo-2.jpg", "photo-3.jpg"].map((name) => join(ASSETS, name));
  await page.getByLabel("Files…").first().setInputFiles(files);
  await expect(page.getByText("4 files uploaded")).toBeVisible();
  for (const name of ["Autumn", "<b>Winds</b>"]) await call(page, "POST", "/app/v1/media/folders", { name });
  const { media } = await call<{ media: { id: string }[] }>(page, "GET", "/app/v1/media");
  await page.goto("/slides");
  await page.getByLabel("Upload pictures").first().setInputFiles(files.slice(1));
  await expect(page.getByRole("list", { name: "Slides in their order" }).getByRole("button")).toHaveCount(3);
  await page.getByLabel("Caption", { exact: true }).fill("Three kites, one wind");
  await page.goto("/media");
  await inspect(page, "media", "/media", "Media");
  await inspect(page, "media-file", `/media?file=${media[0]?.id}`, "Media");
  await inspect(page, "slides", "/slides", "Slides");
});

test("axe finds nothing in what the library and the studio open", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await signUp(page);
  const files = ["clip.mp4", "photo-1.jpg", "photo-2.jpg"].map((name) => join(ASSETS, name));
  const look = (name: string) => inspectOpen(page, name);
  await page.goto("/media");
  await page
    .getByLabel("Files…")
    .first()
    .setInputFiles([...files, join(ASSETS, "make.sh")]);
  await expect(page.getByText("1 file was not uploaded")).toBeVisible();
  await page.getByLabel("Select photo-1.jpg").check();
  await page.getByLabel("Select photo-2.jpg").check();
  await look("selection");
  await page.getByRole("link", { name: "Make slides" }).click();
  await page.getByLabel("Caption", { exact: true }).fill("\u{e000} Three kites\n".repeat(35));
  await expect(page.getByText("does not fit on a slide")).toBeVisible();
  await page.getByRole("button", { name: "What the app covers" }).click();
  await look("slide-problem");
  await page.getByRole("button", { name: "Write captions" }).click();
  await look("captions");
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Add pictures" }).click();
  await page.getByRole("menuitem", { name: "From the library" }).click();
  await page.getByRole("button", { name: "photo-1.jpg", exact: true }).click();
  await look("picker");
});

test("axe finds nothing in dialogs and menus", async ({ page }) => {
  await signUp(page);
  await page.emulateMedia({ reducedMotion: "reduce" });
  const open: [string, () => Promise<void>][] = [
    ["palette", () => page.keyboard.press("Control+k")],
    ["help", () => page.keyboard.press("?")],
    ["connect", () => page.getByRole("button", { name: "Connect", exact: true }).click()],
    [
      "workspace menu",
      () =>
        page
          .getByRole("button", { name: /^Workspace/ })
          .first()
          .click(),
    ],
  ];
  for (const [name, show] of open) {
    await show();
    await expect(page.locator("dialog[open], [role=menu]")).toBeVisible();
    await page.screenshot({ path: `../target/web/pictures/open-${name.replace(" ", "-")}.png` });
    expect(await violations(page, "dialog[open], [role=menu]"), name).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(page.locator("dialog[open], [role=menu]")).toHaveCount(0);
  }
});
