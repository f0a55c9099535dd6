import { join } from "node:path";
import { defineConfig } from "@playwright/test";

const root = join(import.meta.dirname, "..");
/** The program to test, and where it and the provider's simulator may listen. */
const playoutd = process.env.PLAYOUTD ?? join(root, "target/debug/playoutd");
const listen = process.env.PLAYOUT_LISTEN ?? "127.0.0.1:18480";
const simulator = process.env.SIMULATOR_LISTEN ?? "127.0.0.1:18490";
const data = join(root, `target/web/data-${process.pid}`);

/**
 * Debian's Chromium against `playoutd demo`, with a database of its own.
 *
 * Nothing here has to be quick: the limits are those of a machine that is busy with much else, and a test that passes never waits
 * for them. Tests that measure time have the tag `@speed` and run by `npm run speed`.
 */
export default defineConfig({
  testDir: "e2e",
  outputDir: "../target/web/playwright",
  workers: 1,
  timeout: 1_200_000,
  expect: { timeout: 120_000 },
  reporter: [["list"], ["./e2e/failures.ts"]],
  use: {
    actionTimeout: 120_000,
    navigationTimeout: 120_000,
    baseURL: `http://${listen}`,
    launchOptions: { executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] },
    locale: "en-US",
    timezoneId: "Europe/Berlin",
  },
  webServer: {
    command: `${playoutd} demo --listen ${listen} --simulator-listen ${simulator} --data-dir ${data}`,
    url: `http://${listen}/readyz`,
    env: {
      PLAYOUT_RATE_LIMIT: "off",
      PLAYOUT_ADDRESS_RATE_LIMIT: "off",
      PLAYOUT_EGRESS_ALLOW: "127.0.0.0/8",
      PLAYOUT_LOG: "warn",
    },
    timeout: 300_000,
  },
  metadata: { simulator: `http://${simulator}`, playoutd, data },
});
