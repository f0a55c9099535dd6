import { readFileSync } from "node:fs";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { expect, test } from "vitest";

test("the types are those of the document of the API; `npm run schema` writes them", async () => {
  const document = new URL("../../openapi-app.json", import.meta.url);
  const wanted = astToString(await openapiTS(document));
  const written = readFileSync(join(import.meta.dirname, "../src/api/schema.ts"), "utf8");
  expect(written.includes(wanted)).toBe(true);
}, 60_000);
