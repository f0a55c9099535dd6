import { expect, test } from "vitest";
import { readProgram } from "./program";

function shown(agent: string | null): string {
  const { name, system } = readProgram(agent);
  return `${name ?? "?"}${system ? ` on ${system}` : ""}`;
}

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`, "Chrome on Windows"],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/142.0.0.0 Safari/537.36`, "Chrome on Linux"],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Ubuntu Chromium/120.0 Chrome/120.0 Safari/537.36`, "Chromium on Linux"],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`, "Chrome on ChromeOS"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0 Safari/537.36 Edg/142.0`, "Edge on Windows"],
  [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/142.0 Mobile Safari/537.36 EdgA/142.0`, "Edge on Android"],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Chrome/141.0 Safari/537.36 OPR/124.0`, "Opera on Mac"],
  [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/142.0.0.0 Mobile Safari/537.36`, "Chrome on Android"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"],
  ["Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0", "Firefox on Android"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
    "Safari on Mac",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  [
    "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1",
    "Chrome on iPad",
  ],
])("a browser is called as people call it: %s", (agent, name) => expect(shown(agent)).toBe(name));

test.each([
  ["playout/0.1.0", "playout"],
  ["curl/8.14.1", "curl"],
  ["python-requests/2.32", "python-requests"],
  ["Dalvik/2.1.0 (Linux; U; Android 15)", "Dalvik on Android"],
])("another program is called by its first word: %s", (agent, name) => expect(shown(agent)).toBe(name));

test.each([
  [null, "?"],
  ["", "?"],
  ["\u202etxt.exe", "?"],
  ["<b>bold</b>", "?"],
  ["Mozilla/5.0 (compatible; Robot/1.0)", "?"],
  ["Mozilla/5.0 (X11; Linux x86_64) Robot/1.0", "? on Linux"],
])("what says nothing that is understood is unknown: %j", (agent, name) => expect(shown(agent)).toBe(name));
