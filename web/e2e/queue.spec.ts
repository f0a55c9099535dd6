/** Out of the queue and back into it. */
import { connect, expect, post, signUp, test } from "./world";

test("a queued post goes back to the drafts, is put back, and is published at once", async ({ page }) => {
  await signUp(page);
  await connect(page);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const id = await post(page, "High wind #kites", { mode: "schedule", scheduledFor: tomorrow });
  await page.goto(`/posts/${id}`);
  const state = page.getByText(/^(Draft|Queued|Published)$/).first();
  await expect(state).toHaveText("Queued");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Back to drafts" }).click();
  await expect(page.getByText("It is a draft again.")).toBeVisible();
  await expect(state).toHaveText("Draft");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(state).toHaveText("Queued");
  await page.getByRole("button", { name: "Publish now" }).click();
  await expect(state).toHaveText("Published");
});
