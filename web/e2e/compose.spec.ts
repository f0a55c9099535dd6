import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { call, connect, expect, signUp, test } from "./world";

const ASSETS = join(import.meta.dirname, "../../assets/demo");
const PHOTOS = [1, 2, 3].map((number) => join(ASSETS, `photo-${number}.jpg`));
const CLIP = join(ASSETS, "clip.mp4");
const PRIVACY = "Who can see this post";

interface Stored {
  root: {
    id: string;
    content: string;
    state: string;
    scheduledFor: string | null;
    mediaIds: string[];
    settings: Record<string, unknown>;
  };
}

/** Opens the composer with an account connected. */
async function begin(page: Page): Promise<void> {
  await signUp(page);
  await connect(page);
  await page.keyboard.press("c");
  await expect(page.getByRole("heading", { level: 1, name: "New post" })).toBeVisible();
}

const caption = (page: Page) => page.getByRole("textbox", { name: "Caption" });
const choose = (page: Page, ...files: string[]) => page.getByLabel("choose files").setInputFiles(files);
const tiles = (page: Page) => page.getByRole("list", { name: "Media" }).locator("[data-handle]");

/** Waits for the drafts of the workspace. */
async function drafts(page: Page): Promise<Stored["root"][]> {
  return (await call<{ posts: Stored["root"][] }>(page, "GET", "/app/v1/posts?state=DRAFT")).posts;
}

/** Presses Tab until it is there. */
async function tabTo(page: Page, goal: Locator, key = "Tab"): Promise<void> {
  for (let press = 0; press < 60; press += 1) {
    if (await goal.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  await expect(goal).toBeFocused();
}

test("a slideshow is composed by keyboard alone and goes out", async ({ page, request, simulator }) => {
  await begin(page);
  await tabTo(page, caption(page));
  await page.keyboard.type("Three lights over one bay #kites @kite.studio");
  // The browser must be set to report the chooser before the key is pressed: the script that `tabTo` runs in the page comes after that.
  const chooser = page.waitForEvent("filechooser");
  await tabTo(page, page.getByRole("button", { name: "choose files" }));
  await page.keyboard.press("Enter");
  await (await chooser).setFiles(PHOTOS);
  await expect(tiles(page)).toHaveCount(3);
  await expect(tiles(page).last()).toHaveAccessibleName(/photo-3/);
  await tabTo(page, tiles(page).first(), "Shift+Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByText("Now 3 of 3.")).toBeAttached();
  await page.keyboard.press("Space");
  await expect(tiles(page).last()).toHaveAccessibleName(/photo-1/);
  await expect(tiles(page).last()).toBeFocused();
  const privacy = page.getByLabel(PRIVACY);
  await tabTo(page, privacy);
  await page.keyboard.press("ArrowDown");
  await expect(privacy).toHaveValue("PUBLIC_TO_EVERYONE");
  await tabTo(page, page.getByRole("button", { name: "Publish now" }));
  await page.keyboard.press("Enter");
  await expect(page.getByText("It is being published.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Open the live post" })).toBeVisible();
  const out = await (await request.get(`${simulator}/sim/publications`)).text();
  expect(out).toContain("Three lights over one bay #kites @kite.studio");
});

test("a video is scheduled for tomorrow in the zone that is named", async ({ page }) => {
  await begin(page);
  await caption(page).fill("Low tide, early");
  await choose(page, CLIP);
  await expect(tiles(page)).toHaveCount(1);
  await page.getByLabel(PRIVACY).selectOption("Everyone");
  await page.getByLabel("At a time").check();
  await expect(page.getByText(/Times are in Europe\/Berlin \(UTC\+[12]\)/)).toBeVisible();
  await page.getByLabel("Time", { exact: true }).fill("18:30");
  const date = await page.getByLabel("Date", { exact: true }).inputValue();
  const wanted = await page.evaluate((date) => new Date(`${date}T18:30`).toISOString(), date);
  await page.getByLabel("Date", { exact: true }).fill("2027-03-28");
  await page.getByLabel("Time", { exact: true }).fill("02:30");
  await expect(page.getByText(/There is no 2:30.AM that day, .* It will be published at 3:30.AM\./)).toBeVisible();
  await page.getByLabel("Date", { exact: true }).fill("2027-10-31");
  await page.getByLabel(/^The 2:30.AM in UTC\+1$/).check();
  await expect(page.getByText(/Oct 31, 1:30.AM \(UTC\)/)).toBeVisible();
  await page.getByLabel("Date", { exact: true }).fill(date);
  await page.getByLabel("Time", { exact: true }).fill("18:30");
  await page.getByLabel("For an audience in").selectOption("Asia/Tokyo");
  await expect(page.getByText(/\(UTC\+9\)/)).toBeVisible();
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  await expect(page.getByText("Queued", { exact: true })).toBeVisible();
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const { root } = await call<Stored>(page, "GET", `/app/v1/posts/${id}`);
  expect(root).toMatchObject({ state: "QUEUE", scheduledFor: wanted });
  // And it is edited: nothing changes until it is saved.
  await page.getByRole("link", { name: "Edit" }).click();
  await expect(page.getByRole("heading", { name: "Edit scheduled post" })).toBeVisible();
  await caption(page).fill("Low tide, earlier");
  await expect(page.getByText("Changes are kept in this browser until you save them")).toBeVisible();
  expect((await call<Stored>(page, "GET", `/app/v1/posts/${id}`)).root.content).toBe("Low tide, early");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Post", exact: true })).toBeVisible();
  const changed = await call<Stored>(page, "GET", `/app/v1/posts/${id}`);
  expect(changed.root).toMatchObject({ state: "QUEUE", scheduledFor: wanted, content: "Low tide, earlier" });
});

test("a draft survives a reload, also what cannot be a draft yet", async ({ page }) => {
  await begin(page);
  await choose(page, ...PHOTOS.slice(0, 2));
  await expect(tiles(page)).toHaveCount(2);
  await expect(page.getByText(/^Kept in this browser/)).toBeVisible();
  await page.reload();
  await expect(tiles(page)).toHaveCount(2);
  await caption(page).fill("Half a thought");
  await expect(page.getByText("Saved as a draft")).toBeVisible();
  await caption(page).pressSequentially(" more");
  // At once, before the pause is over.
  await page.reload();
  await expect(caption(page)).toHaveValue("Half a thought more");
  await caption(page).press("Control+End");
  await caption(page).pressSequentially("!");
  await expect(page.getByText("Saved as a draft")).toBeVisible();
  const found = await drafts(page);
  expect(found.map(({ content, mediaIds }) => [content, mediaIds.length])).toEqual([["Half a thought more!", 2]]);
  await page.goto(`/posts/${found[0]?.id}`);
  await page.getByRole("link", { name: "Edit" }).click();
  await expect(caption(page)).toHaveValue("Half a thought more!");
});

test("who can see it is not preselected, and nothing goes out without it", async ({ page }) => {
  await begin(page);
  await caption(page).fill("For whom?");
  await choose(page, CLIP);
  await expect(tiles(page)).toHaveCount(1);
  const privacy = page.getByLabel(PRIVACY);
  await expect(privacy).toHaveValue("");
  for (const name of ["Comment", "Duet", "Stitch"])
    await expect(page.getByLabel(name, { exact: true })).not.toBeChecked();
  await page.getByRole("button", { name: "Publish now" }).click();
  await expect(page.getByText("Choose who can see this post.")).toBeVisible();
  await expect(privacy).toBeFocused();
  await expect.poll(async () => (await drafts(page)).length).toBe(1);
});

test("what the service refuses stands beside its field", async ({ page }) => {
  await begin(page);
  await caption(page).fill("x".repeat(2201));
  const field = page.locator("section").filter({ has: caption(page) });
  await expect(field.getByText("2,201 of 2,200 · 1 too many")).toBeVisible();
  await expect(field.getByText(/^The caption must be at most 2200 characters/)).toBeVisible();
  await expect(caption(page)).toHaveAttribute("aria-invalid", "true");
  await caption(page).fill("Short");
  await expect(field.getByText(/must be at most/)).toBeHidden();
  await choose(page, CLIP, ...PHOTOS.slice(0, 1));
  const media = page.getByRole("region", { name: "Media" });
  await expect(media.getByText(/The media must hold either one video or photos/)).toBeVisible();
});

test("commercial content follows the provider's rules", async ({ page }) => {
  await begin(page);
  await caption(page).fill("Bought and paid for");
  await choose(page, CLIP);
  await expect(tiles(page)).toHaveCount(1);
  await expect(page.getByText("By posting, you agree to TikTok's Music Usage Confirmation")).toBeVisible();
  const toggle = page.getByRole("switch", { name: "Disclose commercial content" });
  await expect(toggle).not.toBeChecked();
  await toggle.check();
  const publish = page.getByRole("button", { name: "Publish now" });
  await expect(publish).toBeDisabled();
  await expect(publish).toHaveAttribute(
    "title",
    "You need to indicate if your content promotes yourself, a third party, or both.",
  );
  await page.getByLabel("Your brand").check();
  await expect(page.getByText("Your photo/video will be labeled as 'Promotional content'")).toBeVisible();
  const branded = page.getByRole("checkbox", { name: /^Branded content/ });
  await page.getByLabel(PRIVACY).selectOption("Only me");
  await expect(branded).toBeDisabled();
  await page.getByLabel(PRIVACY).selectOption("Everyone");
  await branded.check();
  await expect(page.getByText("Your photo/video will be labeled as 'Paid partnership'")).toBeVisible();
  await expect(page.getByRole("option", { name: "Only me" })).toBeDisabled();
  await expect(page.getByText("Branded content visibility cannot be set to private.")).toBeVisible();
  await expect(
    page.getByText("By posting, you agree to TikTok's Branded Content Policy and Music Usage Confirmation"),
  ).toBeVisible();
  await expect(publish).toBeEnabled();
});

test("what the account forbids its viewers is greyed", async ({ page, request, simulator }) => {
  const flags = (commentDisabled: boolean) =>
    request.patch(`${simulator}/sim/accounts/kitestudio`, { data: { commentDisabled } });
  await flags(true);
  try {
    await begin(page);
    await expect(page.getByLabel("Comment", { exact: true })).toBeDisabled();
    await expect(page.getByText("Comment: Off in the account's settings at the provider.")).toBeVisible();
  } finally {
    await flags(false);
  }
});

test("an account of which the provider takes no more today says so before anything is sent", async ({
  page,
  request,
  simulator,
}) => {
  await signUp(page);
  await connect(page);
  const cap = (postCap: number) => request.patch(`${simulator}/sim/accounts/kitestudio`, { data: { postCap } });
  await cap(0);
  try {
    await page.goto("/compose");
    const told = page.getByText(/The account has used up the posts that TikTok allows/);
    await expect(told).toBeVisible();
    await page.getByLabel("At a time").check();
    await expect(told).toBeHidden();
  } finally {
    await cap(15);
  }
});

test("while the service is away nothing is lost, and it is saved once it is back", async ({ page }) => {
  await begin(page);
  await caption(page).fill("Before");
  await expect(page.getByText("Saved as a draft")).toBeVisible();
  await page.route("**/app/v1/**", (route) => route.abort("connectionrefused"));
  await caption(page).fill("Written without a service");
  await expect(page.getByText(/^The service does not respond/)).toBeVisible();
  await page.unroute("**/app/v1/**");
  await expect(page.getByText("Saved as a draft")).toBeVisible();
  expect((await drafts(page)).map(({ content }) => content)).toEqual(["Written without a service"]);
});

test("two tabs do not write over each other, and one can take over", async ({ page, context }) => {
  await begin(page);
  await caption(page).fill("In the first tab");
  const second = await context.newPage();
  await second.goto(page.url());
  await expect(second.getByText("This post is open in another tab")).toBeVisible();
  await second.getByRole("button", { name: "Continue here" }).click();
  await expect(caption(second)).toHaveValue("In the first tab");
  await expect(page.getByText("Another tab has taken this post over")).toBeVisible();
  await caption(second).fill("In the second tab");
  await expect(second.getByText("Saved as a draft")).toBeVisible();
  await second.close();
  await expect(caption(page)).toHaveValue("In the second tab");
  expect((await drafts(page)).map(({ content }) => content)).toEqual(["In the second tab"]);
});

test("what somebody else changed is not written over silently", async ({ page }) => {
  await begin(page);
  await caption(page).fill("Mine");
  await expect(page.getByText("Saved as a draft")).toBeVisible();
  const [draft] = await drafts(page);
  await call(page, "PATCH", `/app/v1/posts/${draft?.id}`, { content: "Theirs" });
  await caption(page).fill("Mine, and longer");
  await expect(page.getByText("Someone changed the post for Kite Studio meanwhile")).toBeVisible();
  await expect(page.getByRole("blockquote")).toHaveText("Theirs");
  expect((await drafts(page))[0]?.content).toBe("Theirs");
  await page.getByRole("button", { name: "Keep mine" }).click();
  await expect(page.getByText("Saved as a draft")).toBeVisible();
  expect((await drafts(page))[0]?.content).toBe("Mine, and longer");
});

test("photos are pasted, dropped and dragged into order, one is the cover, and taking one away can be undone", async ({
  page,
}) => {
  await begin(page);
  const bytes = PHOTOS.map((path) => readFileSync(path).toString("base64"));
  const hand = (event: "paste" | "drop", index: number) =>
    page.evaluate(
      ([event, base64, name]) => {
        const bytes = Uint8Array.from(atob(base64 ?? ""), (letter) => letter.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], name ?? "", { type: "image/jpeg" }));
        const made =
          event === "paste"
            ? new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })
            : new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
        document.body.dispatchEvent(made);
      },
      [event, bytes[index], `photo-${index + 1}.jpg`] as const,
    );
  await hand("paste", 0);
  await expect(tiles(page)).toHaveCount(1);
  await hand("drop", 1);
  await expect(tiles(page)).toHaveCount(2);
  await hand("drop", 2);
  await expect(tiles(page)).toHaveCount(3);
  await tiles(page).nth(0).dragTo(tiles(page).nth(2));
  await expect(tiles(page).nth(2)).toHaveAccessibleName(/photo-1/);
  await page.getByLabel("Make Photo 2 of 3 the cover").check();
  await caption(page).fill("In order");
  await expect(page.getByText("Saved as a draft")).toBeVisible();
  expect((await drafts(page))[0]?.settings.photo_cover_index).toBe(1);
  await page.getByRole("button", { name: "Remove Photo 1 of 3" }).click();
  await expect(tiles(page)).toHaveCount(2);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(tiles(page).nth(0)).toHaveAccessibleName(/photo-2/);
  const preview = page.getByRole("region", { name: "Preview" });
  await preview.getByRole("group").focus();
  await page.keyboard.press("ArrowRight");
  await expect(preview.getByText("2 / 3")).toBeVisible();
});

test("a picture that the service does not take, as a screenshot, is converted", async ({ page }) => {
  await begin(page);
  await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(800, 1400);
    canvas.getContext("2d")?.fillRect(100, 100, 600, 1200);
    const bytes = await canvas.convertToBlob({ type: "image/png" });
    const data = new DataTransfer();
    data.items.add(new File([bytes], "screenshot.png", { type: "image/png" }));
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await expect(tiles(page)).toHaveAccessibleName(/screenshot\.jpg/);
});

test("media of the address are there from the start, and the library gives more", async ({ page }) => {
  await signUp(page);
  await connect(page);
  const upload = (path: string) => {
    const file = { name: path.split("/").at(-1) ?? "", mimeType: "image/jpeg", buffer: readFileSync(path) };
    return uploadPhoto(page, file);
  };
  const [first, second] = [await upload(PHOTOS[0] ?? ""), await upload(PHOTOS[1] ?? "")];
  await page.goto(`/compose?media=${second}&media=${first}`);
  await expect(tiles(page)).toHaveCount(2);
  await expect(tiles(page).first()).toHaveAccessibleName(/photo-2/);
  await upload(PHOTOS[2] ?? "");
  await page.getByRole("button", { name: "From the library" }).click();
  await page.getByRole("dialog").getByLabel("photo-3.jpg").check();
  await page.getByRole("button", { name: "Add 1" }).click();
  await expect(tiles(page)).toHaveCount(3);
});

async function uploadPhoto(page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<string> {
  const me = (await (await page.request.get("/app/v1/me")).json()) as { organizations: { id: string }[] };
  const headers = { origin: new URL(page.url()).origin, "x-organization-id": me.organizations[0]?.id ?? "" };
  const answer = await page.request.post("/app/v1/media", { headers, multipart: { file } });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

test("two accounts that differ have settings of their own, and one that refuses does not keep the other back", async ({
  page,
  request,
  simulator,
}) => {
  await signUp(page);
  await connect(page);
  await page.getByRole("button", { name: "Connect an account" }).click();
  await page.getByRole("button", { name: "Continue to TikTok" }).click();
  await page.getByLabel(/Harbor Bakes/).check();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Harbor Bakes is connected.")).toBeVisible();
  await page.goto("/compose");
  await page.getByLabel(/Kite Studio/).check();
  await page.getByLabel(/Harbor Bakes/).check();
  await caption(page).fill("To both");
  await choose(page, CLIP);
  await expect(tiles(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Choose for each account" }).click();
  const privacies = page.getByLabel(PRIVACY);
  await expect(privacies).toHaveCount(2);
  await privacies.first().selectOption("Everyone");
  await privacies.last().selectOption("Only me");
  await expect(page.getByText("Saved as 2 drafts")).toBeVisible();
  // The second account's answer is a refusal, as when its options change at the last moment.
  await page.route("**/app/v1/posts/*/publish", async (route, asked) => {
    const id = asked.url().split("/").at(-2);
    const { root } = await call<{ root: { settings: Record<string, unknown> } }>(page, "GET", `/app/v1/posts/${id}`);
    if (root.settings.privacy_level !== "SELF_ONLY") return route.continue();
    const details = [{ path: ["settings", "privacy_level"], message: "must be one of FOLLOWER_OF_CREATOR" }];
    await route.fulfill({ status: 400, json: { code: "invalid_request", message: "Invalid.", details } });
  });
  await page.getByRole("button", { name: "Publish to 2 accounts" }).click();
  await expect(page.getByText("1 of 2 accounts accepted it. The others need a change:")).toBeVisible();
  await expect(page.getByText("Who can see this post must be one of FOLLOWER_OF_CREATOR.")).toBeVisible();
  await page.unroute("**/app/v1/posts/*/publish");
  await privacies.selectOption("Friends: followers you follow back");
  await page.getByRole("button", { name: "Publish now" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Post" })).toBeVisible();
  await expect
    .poll(async () => {
      const out = await (await request.get(`${simulator}/sim/publications`)).text();
      return out.split("To both").length - 1;
    })
    .toBeGreaterThanOrEqual(2);
});

test("what people write is text: nothing of it runs", async ({ page }) => {
  const probe = `<img src=x onerror="document.title='owned'"> #<script>document.title='owned'</script>`;
  page.on("dialog", () => expect("a dialog").toBe("none"));
  await begin(page);
  await caption(page).fill(probe);
  await page.getByLabel("choose files").setInputFiles({
    name: "<img src=x onerror=alert(1)>.jpg",
    mimeType: "image/jpeg",
    buffer: readFileSync(PHOTOS[0] ?? ""),
  });
  await expect(tiles(page)).toHaveCount(1);
  await page.getByLabel("Title", { exact: true }).fill(probe.slice(0, 80));
  await expect(page.getByText("Saved as a draft")).toBeVisible();
  await page.reload();
  await expect(caption(page)).toHaveValue(probe);
  await expect(page).toHaveTitle(/ · Playout$/);
  await page.goto("/posts");
  await expect(page.getByText(probe.slice(0, 20)).first()).toBeVisible();
  await expect(page).toHaveTitle("Posts · Playout");
});
