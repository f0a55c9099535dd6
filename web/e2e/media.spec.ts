import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page, Route } from "@playwright/test";
import { inspectOpen } from "./inspect";
import { test as ownTest } from "./service";
import { call, connect, expect, signUp, test } from "./world";

const ASSETS = join(import.meta.dirname, "../../assets/demo");
const PHOTOS = [1, 2, 3].map((number) => join(ASSETS, `photo-${number}.jpg`));
const MEBIBYTE = 2 ** 20;

const tile = (page: Page, name: string): Locator =>
  page.getByRole("list", { name: "Files" }).getByRole("listitem").filter({ hasText: name });

/** Brings files as if they were dropped on the page. */
async function drop(page: Page, files: { name: string; type: string; bytes: Buffer }[]): Promise<void> {
  const given = files.map(({ name, type, bytes }) => ({ name, type, base64: bytes.toString("base64") }));
  await page.evaluate((given) => {
    const data = new DataTransfer();
    for (const { name, type, base64 } of given) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], name, { type, lastModified: 1 }));
    }
    for (const event of ["dragenter", "dragover", "drop"]) {
      document.body.dispatchEvent(new DragEvent(event, { dataTransfer: data, bubbles: true, cancelable: true }));
    }
  }, given);
}

/** A video that is so many mebibytes long: the clip, and a box at its end that players skip. */
function longVideo(mebibytes: number): Buffer {
  const clip = readFileSync(join(ASSETS, "clip.mp4"));
  const box = Buffer.alloc(mebibytes * MEBIBYTE - clip.length);
  box.writeUInt32BE(box.length, 0);
  box.write("free", 4, "latin1");
  return Buffer.concat([clip, box]);
}

test("files are dropped, found by kind, looked at, renamed and deleted", async ({ page }) => {
  await signUp(page);
  await page.goto("/media");
  await expect(page.getByText("Nothing here yet")).toBeVisible();
  const photo = readFileSync(PHOTOS[0] ?? "");
  await drop(page, [
    { name: "dawn.jpg", type: "image/jpeg", bytes: photo },
    { name: "clip.mp4", type: "video/mp4", bytes: readFileSync(join(ASSETS, "clip.mp4")) },
    { name: "notes.txt", type: "text/plain", bytes: Buffer.from("no picture") },
  ]);
  const tray = page.getByRole("region", { name: "Uploads" });
  const left = tray.getByRole("listitem").filter({ hasText: "notes.txt" });
  await expect(left).toContainText("Only pictures and videos can be uploaded.");
  await expect(left.getByRole("button")).toHaveCount(1);
  await expect(tray.getByText("1 file was not uploaded")).toBeVisible();
  await inspectOpen(page, "left-out");
  await left.getByRole("button", { name: "Dismiss notes.txt" }).click();
  await expect(tile(page, "dawn.jpg")).toBeVisible();
  await expect(tile(page, "clip.mp4").getByText("0:06")).toBeVisible();
  await page.getByLabel("Kind").selectOption("Pictures");
  await expect(tile(page, "clip.mp4")).toBeHidden();
  await page.getByLabel("Kind").selectOption("Pictures and videos");
  await tile(page, "clip.mp4").getByRole("link").click();
  const viewer = page.getByRole("dialog");
  await expect(viewer.getByText("H.264 + AAC")).toBeVisible();
  await expect(viewer.getByText("720 × 1280")).toBeVisible();
  await expect(viewer.getByText("No post uses it.")).toBeVisible();
  await expect
    .poll(() => viewer.locator("video").evaluate((video: HTMLVideoElement) => video.duration))
    .toBeCloseTo(6, 0);
  await page.keyboard.press("Escape");
  await expect(tile(page, "clip.mp4").getByRole("link")).toBeFocused();
  await tile(page, "dawn.jpg").getByRole("link").click();
  await viewer.getByRole("button", { name: "Rename" }).click();
  await viewer.getByLabel("Name").fill("<img src=x onerror=alert(1)>.jpg");
  await viewer.getByLabel("Name").press("Enter");
  await expect(viewer.getByRole("heading", { name: "<img src=x onerror=alert(1)>.jpg" })).toBeVisible();
  await viewer.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog", { name: "Delete 1 file?" }).getByRole("button", { name: "Delete" }).click();
  await page.keyboard.press("Escape");
  await expect(tile(page, "onerror")).toBeHidden();
  await expect(tile(page, "clip.mp4")).toBeVisible();
});

test("a proxy that refuses the size of an upload is named as what refused it", async ({ page }) => {
  await signUp(page);
  await page.goto("/media");
  await expect(page.getByText("Nothing here yet")).toBeVisible();
  const html = { status: 413, contentType: "text/html", body: "<html>413 Request Entity Too Large</html>" };
  await page.route("**/app/v1/media", (route) =>
    route.request().method() === "POST" ? route.fulfill(html) : route.fallback(),
  );
  await drop(page, [{ name: "dawn.jpg", type: "image/jpeg", bytes: readFileSync(PHOTOS[0] ?? "") }]);
  const row = page.getByRole("region", { name: "Uploads" }).getByRole("listitem");
  await expect(row).toContainText("A proxy in front of the service refused the size of the request (413).");
  await expect(row).not.toContainText("below");
  await inspectOpen(page, "refused-by-proxy");
  await page.setViewportSize({ width: 390, height: 844 });
  await inspectOpen(page, "refused-by-proxy-narrow");
});

test("pictures that the service does not take become JPEGs", async ({ page }) => {
  await signUp(page);
  await page.goto("/media");
  const png = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(300, 400);
    canvas.getContext("2d")?.fillRect(50, 50, 100, 100);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer());
    return [...bytes];
  });
  await drop(page, [
    { name: "shot.png", type: "image/png", bytes: Buffer.from(png) },
    { name: "broken.heic", type: "image/heic", bytes: Buffer.from("no picture") },
  ]);
  const unreadable = page
    .getByRole("region", { name: "Uploads" })
    .getByRole("listitem")
    .filter({ hasText: "broken.heic" });
  await expect(unreadable).toContainText("This browser cannot read it.");
  await expect(tile(page, "shot.jpg")).toBeVisible();
  const { media } = await call<{ media: { mimeType: string; thumbnailMetadata: object }[] }>(
    page,
    "GET",
    "/app/v1/media",
  );
  expect(media[0]).toMatchObject({ mimeType: "image/jpeg", thumbnailMetadata: { width: 300, height: 400 } });
});

test("a folder is uploaded as a folder, and files move between folders and back", async ({ page }, info) => {
  await signUp(page);
  await page.goto("/media");
  const folder = info.outputPath("Kites & <b>winds");
  mkdirSync(join(folder, "deeper"), { recursive: true });
  writeFileSync(join(folder, "noon.jpg"), readFileSync(PHOTOS[1] ?? ""));
  writeFileSync(join(folder, "deeper", "night.jpg"), readFileSync(PHOTOS[2] ?? ""));
  await page.getByLabel("A folder…").first().setInputFiles(folder);
  const folders = page.getByRole("navigation", { name: "Folders" });
  await folders.getByRole("link", { name: "Kites & <b>winds" }).click();
  await expect(tile(page, "noon.jpg")).toBeVisible();
  await expect(tile(page, "night.jpg")).toBeVisible();
  await page.getByRole("button", { name: "New folder" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("KITES & <b>WINDS");
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(dialog.getByRole("alert").or(dialog.locator(".text-bad"))).toBeVisible();
  await dialog.getByLabel("Name").fill("Autumn");
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name: "Autumn" })).toBeVisible();
  await expect(page.getByText("This folder is empty")).toBeVisible();
  await folders.getByRole("link", { name: "Kites & <b>winds" }).click();
  await tile(page, "noon.jpg").dragTo(folders.getByRole("link", { name: "Autumn" }));
  await expect(page.getByText("1 file moved to Autumn.")).toBeVisible();
  await expect(tile(page, "noon.jpg")).toBeHidden();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(tile(page, "noon.jpg")).toBeVisible();
  await folders.getByRole("button", { name: "Folder Kites & <b>winds: more actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(folders.getByRole("link", { name: "Kites" })).toBeHidden();
  await folders.getByRole("link", { name: "In no folder" }).click();
  await expect(tile(page, "noon.jpg")).toBeVisible();
});

test("of many files those go that nothing needs, and the others say which post keeps them", async ({ page }) => {
  await signUp(page);
  await connect(page);
  await page.goto("/media");
  await page.getByLabel("Files…").first().setInputFiles(PHOTOS);
  await expect(page.getByText("3 files uploaded")).toBeVisible();
  type Media = { id: string; originalFileName: string };
  const { media } = await call<{ media: Media[] }>(page, "GET", "/app/v1/media");
  const needed = media.find(({ originalFileName }) => originalFileName === "photo-2.jpg");
  const { platforms } = await call<{ platforms: { id: string }[] }>(page, "GET", "/app/v1/platforms");
  const draft = { platformIds: [platforms[0]?.id], content: "At noon", mediaIds: [needed?.id], mode: "draft" };
  await call(page, "POST", "/app/v1/posts", draft);
  const boxes = page.getByRole("list", { name: "Files" }).getByRole("checkbox");
  await expect(boxes).toHaveCount(3);
  await boxes.first().check();
  await boxes.last().click({ modifiers: ["Shift"] });
  await expect(page.getByText("3 files selected")).toBeVisible();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("dialog")).toContainText("photo-2.jpg");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  const kept = page.getByRole("dialog", { name: "1 file was kept" });
  await expect(kept).toContainText("photo-2.jpg");
  await page.keyboard.press("Escape");
  await expect(tile(page, "photo-1.jpg")).toBeHidden();
  await tile(page, "photo-2.jpg").getByRole("link").click();
  await page.getByRole("dialog").getByRole("link", { name: "At noon" }).click();
  await expect(page.getByRole("heading", { name: "Post", exact: true })).toBeVisible();
});

test("the keyboard alone chooses files and hands them over", async ({ page }) => {
  await signUp(page);
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await page.getByLabel("Files…").first().setInputFiles(PHOTOS);
  await expect(page.getByText("3 files uploaded")).toBeVisible();
  await expect(page.locator("[data-tile]")).toHaveCount(3);
  const names = await page.locator("[data-tile]").allInnerTexts();
  await page.locator("[data-tile]").first().focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("End");
  await page.keyboard.press("Space");
  await expect(page.getByText("2 files selected")).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog").getByRole("heading", { level: 2 })).toHaveText(names[1]?.split("\n")[0] ?? "");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("dialog").getByRole("heading", { level: 2 })).toHaveText(names[2]?.split("\n")[0] ?? "");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Use in a post" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).searchParams.getAll("media").length).toBe(2);
});

/**
 * Lets the first piece of an upload through and keeps the next from leaving the page, until `letGo`; notes what the service is
 * asked from then on.
 */
async function holdSecondPiece(page: Page) {
  await page.addInitScript(() => {
    const { open, send, abort, setRequestHeader } = XMLHttpRequest.prototype;
    const known = new WeakMap<XMLHttpRequest, { method: string; url: string; offset: string }>();
    const held = new Map<XMLHttpRequest, () => void>();
    const asked: string[] = [];
    let isHolding = true;
    XMLHttpRequest.prototype.open = function (method: string, url: string | URL) {
      known.set(this, { method, url: String(url), offset: "" });
      return open.call(this, method, url, true);
    };
    XMLHttpRequest.prototype.setRequestHeader = function (name, value) {
      const facts = known.get(this);
      if (facts && name === "Upload-Offset") facts.offset = value;
      return setRequestHeader.call(this, name, value);
    };
    XMLHttpRequest.prototype.send = function (body) {
      const { method, url, offset } = known.get(this) ?? { method: "", url: "", offset: "" };
      if (url.includes("/media/uploads/")) asked.push(`${method} ${offset}`.trim());
      if (isHolding && method === "PATCH" && offset !== "0") held.set(this, () => send.call(this, body));
      else send.call(this, body);
    };
    XMLHttpRequest.prototype.abort = function () {
      held.delete(this);
      abort.call(this);
    };
    const letGo = () => {
      isHolding = false;
      asked.length = 0;
      for (const go of held.values()) go();
    };
    Object.assign(window, { transfers: { asked, letGo } });
  });
  type Held = { transfers: { asked: string[]; letGo: () => void } };
  return {
    asked: () => page.evaluate(() => (window as unknown as Held).transfers.asked),
    letGo: () => page.evaluate(() => (window as unknown as Held).transfers.letGo()),
  };
}

const LONG = { name: "reef.mp4", mimeType: "video/mp4", buffer: longVideo(20) };
const AT_8_MB = 8 * MEBIBYTE;

ownTest(
  "an upload is paused, the service is killed and comes back, and it goes on where it was",
  async ({ page, service }) => {
    await signUp(page);
    const { asked, letGo } = await holdSecondPiece(page);
    await page.goto("/media");
    await page.getByLabel("Files…").first().setInputFiles(LONG);
    const progress = page.getByRole("progressbar", { name: "Upload of reef.mp4" });
    await expect(progress).toHaveAttribute("aria-valuenow", /^[4-9]/);
    await page.getByRole("link", { name: "Posts" }).click();
    await page.getByRole("button", { name: "Pause reef.mp4" }).click();
    await expect(page.getByText("Uploads are paused")).toBeVisible();
    await service.kill();
    await service.start();
    await letGo();
    await page.getByRole("button", { name: "Resume reef.mp4" }).click();
    await expect(page.getByText("1 file uploaded")).toBeVisible();
    expect(await asked()).toEqual(["HEAD", `PATCH ${AT_8_MB}`, `PATCH ${2 * AT_8_MB}`]);
    await page.getByRole("link", { name: "Media" }).click();
    await expect(tile(page, "reef.mp4").getByText("0:06")).toBeVisible();
  },
);

ownTest("an upload that broke goes on by itself once the service is back", async ({ page, service }) => {
  await signUp(page);
  const { asked, letGo } = await holdSecondPiece(page);
  await page.goto("/media");
  await page.getByLabel("Files…").first().setInputFiles(LONG);
  await expect.poll(asked).toContain(`PATCH ${AT_8_MB}`);
  await service.kill();
  await letGo();
  await expect(page.getByText("The connection was lost. It continues automatically.").first()).toBeVisible();
  await service.start();
  await expect(page.getByText("1 file uploaded")).toBeVisible();
});

test("an upload that the service gave up says why, and is sent anew", async ({ page }) => {
  await signUp(page);
  await page.goto("/media");
  // As if the service had ended twice over this file, after all of its bytes had come.
  const message = "The service could not process this file.";
  const giveUp = async (route: Route) => {
    const reply = await route.fetch();
    await route.fulfill({ json: { ...(await reply.json()), failure: { code: "processing_failed", message } } });
  };
  await page.route(/\/app\/v1\/media\/[0-9a-f-]{36}$/, giveUp, { times: 1 });
  await page.getByLabel("Files…").first().setInputFiles(LONG);
  const row = page.getByRole("region", { name: "Uploads" }).getByRole("listitem").filter({ hasText: "reef.mp4" });
  await expect(row).toContainText(message);
  await row.getByRole("button", { name: "Try reef.mp4 again" }).click();
  await expect(page.getByText("1 file uploaded")).toBeVisible();
});

ownTest("an upload goes on after the page was loaded anew, once its file is chosen again", async ({ page }) => {
  await signUp(page);
  const { asked, letGo } = await holdSecondPiece(page);
  await page.goto("/media");
  const path = ownTest.info().outputPath("reef.mp4");
  writeFileSync(path, LONG.buffer);
  await page.getByLabel("Files…").first().setInputFiles(path);
  await expect.poll(asked).toContain(`PATCH ${AT_8_MB}`);
  await page.getByRole("button", { name: "Pause reef.mp4" }).click();
  await page.reload();
  await expect(page.getByText("1 upload needs its file")).toBeVisible();
  await expect(page.getByRole("progressbar", { name: "Upload of reef.mp4" })).toHaveAttribute("aria-valuenow", "40");
  await page
    .getByLabel("Choose reef.mp4 again")
    .first()
    .setInputFiles(PHOTOS[0] ?? "");
  await expect(page.getByText("That is another file.")).toBeVisible();
  await letGo();
  await page.getByLabel("Choose reef.mp4 again").first().setInputFiles(path);
  await expect(page.getByText("1 file uploaded")).toBeVisible();
  expect((await asked()).slice(0, 2)).toEqual(["HEAD", `PATCH ${AT_8_MB}`]);
  await expect(tile(page, "reef.mp4").getByText("0:06")).toBeVisible();
});
