/** A service of a test's own, which can be killed and come back. */
import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test as world } from "./world";

/** A running `playoutd`, and how to break it. */
export interface Service {
  origin: string;
  /** Kills it as a power cut would. */
  kill: () => Promise<void>;
  /** Starts it on the same data. */
  start: () => Promise<void>;
}

/** What the language model of this service answers, one after another. */
export type Model = { says: (captions: { caption: string; slides: string[] }) => void };

const said: string[] = [];

/** A port on which no server listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

let count = 0;

/** As `test`, on a service of its own with a language model. */
export const test = world.extend<{ service: Service; model: Model }, { model_url: string }>({
  model_url: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern.
    async ({}, use) => {
      const server = createServer((request, response) => {
        request.resume().on("end", () => {
          const message = { role: "assistant", content: said.shift() ?? "{}" };
          response.setHeader("content-type", "application/json");
          response.end(JSON.stringify({ choices: [{ index: 0, finish_reason: "stop", message }] }));
        });
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
      server.close();
    },
    { scope: "worker" },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  model: async ({}, use) => use({ says: (captions) => said.push(JSON.stringify(captions)) }),
  service: async ({ model_url }, use, info) => {
    const { playoutd, data } = info.config.metadata as { playoutd: string; data: string };
    const listen = `127.0.0.1:${await freePort()}`;
    const origin = `http://${listen}`;
    count += 1;
    const folder = join(data, `own-${count}`);
    const env = {
      ...process.env,
      PLAYOUT_RATE_LIMIT: "off",
      PLAYOUT_ADDRESS_RATE_LIMIT: "off",
      PLAYOUT_LOG: "warn",
      PLAYOUT_SIGNUP: "open",
      PLAYOUT_LLM_URL: model_url,
      PLAYOUT_LLM_MODEL: "parrot",
    };
    let child: ChildProcess | null = null;
    const start = async () => {
      const args = ["serve", "--listen", listen, "--base-url", origin, "--data-dir", folder];
      child = spawn(playoutd, args, { env, stdio: ["ignore", "ignore", "inherit"] });
      const isReady = () =>
        fetch(`${origin}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      await expect.poll(isReady).toBe(true);
    };
    const kill = async () => {
      const dying = child;
      child = null;
      if (!dying || dying.exitCode !== null) return;
      const gone = new Promise((resolve) => dying.once("exit", resolve));
      dying.kill("SIGKILL");
      await gone;
    };
    await start();
    await use({ origin, kill, start });
    await kill();
  },
  baseURL: async ({ service }, use) => use(service.origin),
});
