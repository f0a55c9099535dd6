import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { call, connect, expect, signUp, test } from "./world";

const ROOT = join(import.meta.dirname, "../..");
const PLAYOUTD = process.env.PLAYOUTD ?? join(ROOT, "target/debug/playoutd");
/** Ports that another run on this machine has not. */
const PORT = 20_000 + (process.pid % 10_000) * 2;
const LISTEN = process.env.RESTART_LISTEN ?? `127.0.0.1:${PORT}`;
const SIMULATOR = process.env.RESTART_SIMULATOR_LISTEN ?? `127.0.0.1:${PORT + 1}`;
const PHOTO = join(ROOT, "assets/demo/photo-1.jpg");

test.use({ baseURL: `http://${LISTEN}` });

/** Starts a service of this test's own on its data, and waits until it answers. */
async function start(data: string): Promise<ChildProcess> {
  const args = ["demo", "--listen", LISTEN, "--simulator-listen", SIMULATOR, "--data-dir", data];
  const env = { ...process.env, PLAYOUT_RATE_LIMIT: "off", PLAYOUT_ADDRESS_RATE_LIMIT: "off", PLAYOUT_LOG: "error" };
  const service = spawn(PLAYOUTD, args, { env, stdio: "ignore" });
  const isReady = () =>
    fetch(`http://${LISTEN}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady).toBe(true);
  return service;
}

async function kill(service: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => service.once("exit", resolve));
  service.kill("SIGKILL");
  await gone;
}

test("the service dies while somebody composes: what they write and upload meanwhile is there once it is back", async ({
  page,
}) => {
  const data = mkdtempSync(join(tmpdir(), "playout-compose-"));
  let service = await start(data);
  try {
    await signUp(page);
    await connect(page);
    await page.keyboard.press("c");
    const caption = page.getByRole("textbox", { name: "Caption" });
    await caption.fill("Before the storm");
    await expect(page.getByText("Saved as a draft")).toBeVisible();
    await kill(service);
    await caption.fill("Before the storm, and after");
    await page.getByLabel("choose files").setInputFiles(PHOTO);
    await expect(page.getByText(/^The service does not respond/).first()).toBeVisible();
    service = await start(data);
    await expect(page.getByRole("list", { name: "Media" }).locator("[data-handle]")).toHaveCount(1);
    await expect(page.getByText("Saved as a draft")).toBeVisible();
    type Posts = { posts: { content: string; mediaIds: string[] }[] };
    const { posts } = await call<Posts>(page, "GET", "/app/v1/posts?state=DRAFT");
    expect(posts.map(({ content, mediaIds }) => [content, mediaIds.length])).toEqual([
      ["Before the storm, and after", 1],
    ]);
  } finally {
    await kill(service);
    rmSync(data, { recursive: true, force: true });
  }
});
