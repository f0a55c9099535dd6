/** Looking at pages as people with different eyes do. */
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

/** Looks at a page in both themes and sizes: axe finds nothing, nothing sticks out, and a picture is kept. */
export async function inspect(page: Page, name: string, path: string, heading: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      await page.screenshot({ path: `../target/web/pictures/${name}-${size.width}-${colorScheme}.png` });
      expect(await violations(page), `${path} ${colorScheme} ${size.width}`).toEqual([]);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(over, `${path} sticks out at ${size.width}`).toBeLessThanOrEqual(0);
    }
  }
}

/** Looks at what is open on a page, in both themes. */
export async function inspectOpen(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    await page.screenshot({ path: `../target/web/pictures/open-${name}-${colorScheme}.png` });
    expect(await violations(page), `${name} ${colorScheme}`).toEqual([]);
  }
}

async function violations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}
