import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { packed } from "./packed.ts";

/** Where the service runs that the development server stands in front of; the default is that of `PLAYOUT_BASE_URL`. */
const service = process.env.PLAYOUT_API_URL ?? "http://localhost:8080";

/** Its public address, where that is another. */
const origin = new URL(process.env.PLAYOUT_BASE_URL ?? service).origin;

/** A request that changes something must carry the service's own `Origin`. */
const ours = { target: service, headers: { origin } };

/** What the service itself answers. */
const proxy = {
  "^/((app|auth|public|pages\\.css|docs|sign-out|oauth)(/|\\?|$)|(security|device|media)/.)": ours,
  // Pages that have a plain twin: it answers forms, and where it is asked for.
  "^/(accept-invitation|accounts|device|forgot-password|reset-password|security|sign-in|sign-up)(\\?|$)": {
    ...ours,
    bypass: ({ method, url = "/" }: { method?: string | undefined; url?: string | undefined }) =>
      method === "GET" && !/[?&]plain/.test(url) ? url : undefined,
  },
};

export default defineConfig({
  plugins: [
    tanstackRouter({ target: "react", autoCodeSplitting: true, quoteStyle: "double", semicolons: true }),
    react(),
    tailwindcss(),
    packed(),
  ],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  // No data: addresses: the policy of the pages allows none for fonts and scripts.
  build: { assetsInlineLimit: 0, manifest: "manifest.json", modulePreload: { polyfill: false } },
  server: { proxy },
  preview: { proxy },
  // The limits of a machine that is busy with much else: a test that passes does not wait for them.
  test: { include: ["src/**/*.test.ts", "tests/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 },
});
