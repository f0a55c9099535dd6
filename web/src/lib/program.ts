/** Names of programs from their `User-Agent`. It is unverified, so nothing depends on it. */

/** A program and its system; null if unknown. */
export interface Program {
  name: string | null;
  system: string | null;
}

/** Many browsers also name others for compatibility: the first match wins. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\bChromium\//, "Chromium"],
  [/(?:\b|Headless)(?:Chrome|CriOS)\//, "Chrome"],
  [/\bVersion\/[\d.]+ .*\bSafari\//, "Safari"],
];

/** Android also names Linux, and an iPhone also names Mac. */
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac(?:intosh| OS X)\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];

/** The program's name and its system. */
export function readProgram(agent: string | null): Program {
  if (agent === null) return { name: null, system: null };
  const isBrowser = agent.startsWith("Mozilla/");
  return { name: isBrowser ? first(BROWSERS, agent) : product(agent), system: first(SYSTEMS, agent) };
}

/** The name before the version (RFC 9110 §10.1.5). */
const product = (agent: string): string | null => /^[\w!#$%&'*+.^`|~-]+/.exec(agent)?.[0] ?? null;

const first = (known: typeof BROWSERS, agent: string): string | null =>
  known.find(([pattern]) => pattern.test(agent))?.[1] ?? null;
