import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const DIST = join(import.meta.dirname, "../dist");
/** What the first load of a page may weigh, compressed. */
const MOST_BYTES = 250_000;

interface Chunk {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
}
const manifest = JSON.parse(readFileSync(join(DIST, "manifest.json"), "utf8")) as Record<string, Chunk>;

/** A chunk's script and those that it cannot do without. */
function needed(name: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (!chunk || found.has(name)) return found;
  found.add(name);
  for (const imported of chunk.imports ?? []) needed(imported, found);
  return found;
}

/** The names of the chunks into which the routes of these files were split. */
const splitOff = (...routes: string[]) =>
  Object.keys(manifest).filter((name) => routes.some((route) => name.startsWith(`src/routes/${route}`)));

function weight(...routes: string[]): number {
  const names = new Set(["index.html", ...splitOff(...routes)].flatMap((name) => [...needed(name)]));
  const scripts = new Set([...names].map((name) => manifest[name]?.file).filter((file) => file?.endsWith(".js")));
  return [...scripts].reduce((sum, file) => sum + statSync(join(DIST, `${file}.br`)).size, 0);
}

test.each([
  ["/", ["_app.tsx", "_app/index.tsx"]],
  ["/sign-in", ["sign-in.tsx"]],
  ["/posts", ["_app.tsx", "_app/posts/index.tsx"]],
  ["/media", ["_app.tsx", "_app/media.tsx"]],
  ["/slides", ["_app.tsx", "_app/slides.tsx"]],
  ["/compose", ["_app.tsx", "_app/compose.tsx"]],
  ["/calendar", ["_app.tsx", "_app/calendar.tsx"]],
  ["/device", ["device.tsx"]],
  ["/accept-invitation", ["accept-invitation.tsx"]],
  ["/settings/security", ["_app.tsx", "_app/settings.tsx", "_app/settings/security.tsx"]],
  ["/settings/webhooks", ["_app.tsx", "_app/settings.tsx", "_app/settings/webhooks/index.tsx"]],
  ["/settings/keys", ["_app.tsx", "_app/settings.tsx", "_app/settings/keys.tsx"]],
])("the first load of %s is light", (path, routes) => {
  for (const route of routes) expect(splitOff(route), route).not.toEqual([]);
  const bytes = weight(...routes);
  console.log(`${path}: ${bytes} bytes of script, compressed`);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});

test("the page that starts the dashboard holds no script and no style of its own", () => {
  const page = readFileSync(join(DIST, "index.html"), "utf8");
  expect(page).not.toMatch(/<style|<script(?![^>]*\ssrc=)|style=|\son\w+=/);
  expect(page).not.toMatch(/https?:\/\//);
});
