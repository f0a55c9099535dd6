/** A service with the limits that every service begins with, and a provider's simulator beside it. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { freePort } from "./service";
import { expect, test as world } from "./world";

let count = 0;

/** As `test`, on a demo of its own; `count` is how often it refused a call as one too many. */
export const test = world.extend<{ limited: { origin: string } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern.
  limited: async ({}, use, info) => {
    const { playoutd, data } = info.config.metadata as { playoutd: string; data: string };
    const [listen, simulator] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
    count += 1;
    const folder = join(data, `limited-${count}`);
    const { PLAYOUT_RATE_LIMIT: _, PLAYOUT_SESSION_RATE_LIMIT: __, ...env } = process.env;
    const args = ["demo", "--listen", listen, "--simulator-listen", simulator, "--data-dir", folder];
    const child = spawn(playoutd, args, {
      env: { ...env, PLAYOUT_LOG: "warn" },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const origin = `http://${listen}`;
    const isReady = () =>
      fetch(`${origin}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isReady).toBe(true);
    await use({ origin });
    child.kill("SIGKILL");
  },
  baseURL: async ({ limited }, use) => use(limited.origin),
});
