/** Programs by what they say of themselves (`User-Agent`). Whatever it is, it is a claim: nothing is decided by it. */

/** A program, and what it runs on; null where it does not say. */
export interface Program {
  name: string | null;
  system: string | null;
}

/** Many browsers name those that they want to be taken for as well: the first that fits is it. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\bChromium\//, "Chromium"],
  [/(?:\b|Headless)(?:Chrome|CriOS)\//, "Chrome"],
  [/\bVersion\/[\d.]+ .*\bSafari\//, "Safari"],
];

/** An Android is a Linux too, and an iPhone says that it is like a Mac. */
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac(?:intosh| OS X)\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];

/** What a program is called, and what it runs on. */
export function readProgram(agent: string | null): Program {
  if (agent === null) return { name: null, system: null };
  const isBrowser = agent.startsWith("Mozilla/");
  return { name: isBrowser ? first(BROWSERS, agent) : product(agent), system: first(SYSTEMS, agent) };
}

/** The name before the version (RFC 9110 §10.1.5). */
const product = (agent: string): string | null => /^[\w!#$%&'*+.^`|~-]+/.exec(agent)?.[0] ?? null;

const first = (known: typeof BROWSERS, agent: string): string | null =>
  known.find(([pattern]) => pattern.test(agent))?.[1] ?? null;
