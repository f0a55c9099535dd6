/** Looking at pages as people with different eyes do. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, type Page } from "@playwright/test";
import type { AxeResults, ElementContext, NodeResult } from "axe-core";

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const SCHEMES = ["light", "dark"] as const;
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Looks at a page in both sizes and themes: axe finds nothing, nothing sticks out, and a picture is kept. */
export async function inspect(page: Page, name: string, path: string, heading: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.goto(path);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
      // Pages without a script follow the system by themselves.
      await expect(page.locator(`html:not([data-theme]), html[data-theme=${colorScheme}]`)).toBeAttached();
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      await page.screenshot({ path: `../target/web/pictures/${name}-${size.width}-${colorScheme}.png` });
      await findNothing(page, `${path} ${colorScheme} ${size.width}`);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(over, `${path} sticks out at ${size.width}`).toBeLessThanOrEqual(0);
    }
  }
}

/** Looks at what is open on a page, in both themes. */
export async function inspectOpen(page: Page, name: string): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    await page.screenshot({ path: `../target/web/pictures/open-${name}-${colorScheme}.png` });
    await findNothing(page, `${name} ${colorScheme}`);
  }
}

/** Fails if axe finds something wrong with a page that stays so: what is still being loaded may come a moment later. */
async function findNothing(page: Page, what: string): Promise<void> {
  await expect.poll(() => violations(page), { message: what }).toEqual([]);
}

/**
 * What axe finds wrong with a page, or with the part of it that a selector names.
 *
 * axe runs in the page itself: `@axe-core/playwright` opens another page for its report, which takes four times as long and is
 * of use only to pages with frames. It measures colours as they are at that moment, so what still fades in is waited for.
 */
export async function violations(page: Page, part?: string): Promise<string[]> {
  expect(page.frames(), "axe looks into no frames").toHaveLength(1);
  await page.evaluate(`if (!window.axe) {${AXE}}`);
  await settle(page);
  const found = await page.evaluate(async (part) => {
    const { axe } = window as unknown as { axe: { run: (...of: unknown[]) => Promise<AxeResults> } };
    const context: ElementContext = part ?? document;
    return (await axe.run(context, { resultTypes: ["violations"] })).violations;
  }, part);
  const told = ({ html, any }: NodeResult) => [html, ...any.map(({ message }) => message)].join(" ");
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(told).join(" | ")}`);
}

/** Waits until what moves or fades has ended, and is painted so. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ends = ({ effect, playState }: Animation) =>
      playState === "running" && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
    const running = document.getAnimations().filter(ends);
    await Promise.allSettled(running.map((animation) => animation.finished));
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
  });
}
