import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, PASSWORD, signUp, test } from "./world";

const ASSETS = join(import.meta.dirname, "../../assets/demo");
const PHOTOS = [1, 2, 3].map((number) => join(ASSETS, `photo-${number}.jpg`));
const PRIVACY = "Who can see this post";

/** A step of the way to the first post. */
const step = (page: Page, title: string) => page.getByRole("main").getByRole("listitem").filter({ hasText: title });

test("from the sign-up page to the first publication, by the pages alone", async ({ page, request, simulator }) => {
  await page.goto("/sign-up");
  await page.getByLabel("E-mail").fill(`grace.${process.pid}@example.org`);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Workspace").fill("Kites");
  await page.getByRole("button", { name: "Create your account" }).click();
  await expect(page.getByRole("heading", { name: "Today", exact: true })).toBeVisible();
  await step(page, "Connect an account").getByRole("button", { name: "Connect" }).click();
  await page.getByRole("button", { name: "Continue to TikTok" }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Kite Studio is connected.")).toBeVisible();
  await page.getByRole("link", { name: "Home" }).click();
  await expect(step(page, "Connect an account").getByText("Done")).toBeVisible();
  await step(page, "Upload a video or photos").getByRole("link", { name: "Upload" }).click();
  await page.getByLabel("Files…").first().setInputFiles(join(ASSETS, "clip.mp4"));
  await expect(page.getByText("1 file uploaded")).toBeVisible();
  await page.getByRole("link", { name: "Home" }).click();
  await expect(step(page, "Upload a video or photos").getByText("Done")).toBeVisible();
  await step(page, "Publish").getByRole("link", { name: "New post" }).click();
  await page.getByRole("textbox", { name: "Caption" }).fill("The first of many #kites");
  await page.getByRole("button", { name: "From the library" }).click();
  await page.getByRole("dialog").getByLabel("clip.mp4").check();
  await page.getByRole("button", { name: "Add 1" }).click();
  await page.getByLabel(PRIVACY).selectOption("Everyone");
  await page.getByRole("button", { name: "Publish now" }).click();
  await expect(page.getByText("It is being published.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Open the live post" })).toBeVisible();
  expect(await (await request.get(`${simulator}/sim/publications`)).text()).toContain("The first of many #kites");
  await page.getByRole("link", { name: "Home" }).click();
  await expect(page.getByText("Three steps to your first post")).toBeHidden();
  const today = page.getByRole("list", { name: "Scheduled today" });
  await expect(
    today.getByRole("listitem").filter({ hasText: "The first of many" }).getByText("Published"),
  ).toBeVisible();
  await expect(page.getByText("Nothing needs you.")).toBeVisible();
});

test("photos become a captioned slideshow and go out in their order", async ({ page, request, simulator }) => {
  await signUp(page);
  await step(page, "Connect an account").getByRole("button", { name: "Connect" }).click();
  await page.getByRole("button", { name: "Continue to TikTok" }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Kite Studio is connected.")).toBeVisible();
  await page.getByRole("link", { name: "Slides" }).click();
  await page.getByLabel("Upload pictures").first().setInputFiles(PHOTOS);
  const slides = page.getByRole("list", { name: "Slides in their order" }).getByRole("button");
  await expect(slides).toHaveCount(3);
  for (const [place, text] of ["Three kites", "Two squalls", "One wind"].entries()) {
    await slides.nth(place).click();
    await page.getByLabel("Caption", { exact: true }).fill(text);
  }
  await page.getByRole("button", { name: "Make 3 slides" }).click();
  await page.getByRole("link", { name: "Use in a post" }).click();
  const tiles = page.getByRole("list", { name: "Media" }).locator("[data-handle]");
  await expect(tiles).toHaveCount(3);
  for (const [place, photo] of [1, 2, 3].entries()) {
    await expect(tiles.nth(place)).toHaveAccessibleName(new RegExp(`photo-${photo}-captioned`));
  }
  const caption = `Three, two, one ${Date.now()}`;
  await page.getByRole("textbox", { name: "Caption" }).fill(caption);
  await page.getByLabel(PRIVACY).selectOption("Everyone");
  await page.getByRole("button", { name: "Publish now" }).click();
  await expect(page.getByText("Published", { exact: true }).first()).toBeVisible();
  expect(await (await request.get(`${simulator}/sim/publications`)).text()).toContain(caption);
});
