/** The workspace's settings. */
import { call, expect, signUp, test } from "./world";

interface Me {
  organizations: { latenessPolicy: { askAfterHours: number } | null }[];
}

test("a workspace says from when on it is asked about overdue posts", async ({ page }) => {
  await signUp(page);
  const policy = async () => (await call<Me>(page, "GET", "/app/v1/me")).organizations[0]?.latenessPolicy;
  await page.goto("/settings/workspace");
  const choice = page.getByLabel("Ask before publishing");
  await expect(choice).toHaveValue("24");
  await choice.selectOption("When more than 2 days late");
  await expect(page.getByText("Saved.")).toBeVisible();
  expect(await policy()).toEqual({ askAfterHours: 48 });
  await page.reload();
  await expect(choice).toHaveValue("48");
  await choice.selectOption("Never: publish however late");
  await expect.poll(policy).toBeNull();
  await page.reload();
  await expect(choice).toHaveValue("never");
});
