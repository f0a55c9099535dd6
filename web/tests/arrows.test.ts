import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** What each folder of `src` may import from; `strings` are words alone. The files beside the folders put all together. */
const MAY: Record<string, readonly string[]> = {
  lib: ["lib"],
  strings: ["strings"],
  ui: ["ui", "lib", "strings"],
  api: ["api", "lib"],
  features: ["features", "ui", "lib", "api", "strings"],
  routes: ["routes", "features", "ui", "lib", "api", "strings"],
};
const SRC = join(import.meta.dirname, "../src");
const IMPORT = /(?:from|import\()\s*"([^"]+)"/g;

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));

/** The folder of `src` that a file's import leads to; undefined for packages. */
function folderOf(path: string, imported: string): string | undefined {
  if (imported.startsWith("@/")) return imported.split("/")[1];
  if (!imported.startsWith(".")) return undefined;
  return join(path, "..", imported).split("/")[0];
}

/** What a file imports, as it names it; types too. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(SRC, path), "utf8");
  return [...text.matchAll(IMPORT)].map(([, imported]) => imported ?? "");
}

/** The file of `src` that an import leads to; undefined for packages and pictures. */
function fileOf(path: string, imported: string): string | undefined {
  if (!/^(@\/|\.)/.test(imported)) return undefined;
  const to = imported.startsWith("@/") ? imported.slice(2) : join(path, "..", imported);
  return [to, `${to}.ts`, `${to}.tsx`].find((file) => files.includes(file));
}

test("folders import one way only", () => {
  const wrong = files.flatMap((path) => {
    const may = MAY[path.split("/")[0] ?? ""];
    const folders = importsOf(path).map((imported) => folderOf(path, imported));
    return folders
      .filter((folder) => folder && may && !may.includes(folder))
      .map((folder) => `${path} imports ${folder}`);
  });
  expect(files.length).toBeGreaterThan(50);
  expect(wrong).toEqual([]);
});

test("files import one way only", () => {
  const imports = new Map(
    files.map((path) => [path, importsOf(path).flatMap((imported) => fileOf(path, imported) ?? [])]),
  );
  const inCircle = files.filter((path) => {
    const reached = new Set<string>();
    const next = [...(imports.get(path) ?? [])];
    for (let file = next.pop(); file !== undefined; file = next.pop()) {
      if (reached.has(file)) continue;
      reached.add(file);
      next.push(...(imports.get(file) ?? []));
    }
    return reached.has(path);
  });
  expect(inCircle).toEqual([]);
});

test("only the client calls fetch", () => {
  const calls = files.filter((path) => /(?<![.\w])fetch\(/.test(readFileSync(join(SRC, path), "utf8")));
  expect(calls).toEqual(["api/client.ts"]);
});

test("no file is too long to be read", () => {
  const own = files.filter((path) => !/schema\.ts$|\.gen\.ts$/.test(path));
  const long = own.filter((path) => readFileSync(join(SRC, path), "utf8").split("\n").length > 250);
  expect(long).toEqual([]);
});
