import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { connectNotices } from "@/strings/accounts";
import { buttonClass } from "@/ui/button";
import { Notice } from "@/ui/parts";
import { nameOf } from "./names";

/** The query of the address after the provider's redirect. */
export interface ConnectSearch {
  connected?: string;
  requeued?: string;
  error?: string;
}

/** Parses the query. */
export function readConnectSearch(search: Record<string, unknown>): ConnectSearch {
  const text = (name: keyof ConnectSearch) => (typeof search[name] === "string" ? { [name]: search[name] } : {});
  return { ...text("connected"), ...text("requeued"), ...text("error") };
}

/**
 * Shows the result of connecting. Anyone can make up such an address, so the sentences are fixed and only known accounts are
 * named.
 */
export function ConnectNotice({ search, platforms }: { search: ConnectSearch; platforms: Schemas["Platform"][] }) {
  const { connected, requeued, error } = search;
  const platform = platforms.find(({ id }) => id === connected);
  if (platform) {
    const waited = requeued === undefined ? null : Number.parseInt(requeued, 10) || 0;
    const name = nameOf(platform);
    if (waited !== null) return <Around tone="good">{connectNotices.again(name, waited)}</Around>;
    return (
      <Around tone="good">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <span className="mr-auto">{connectNotices.connected(name)}</span>
          <Link to="/slides" className={buttonClass()}>
            {connectNotices.toSlides}
          </Link>
          <Link to="/compose" className={buttonClass("primary")}>
            {connectNotices.toCompose}
          </Link>
        </div>
      </Around>
    );
  }
  if (error === undefined) return null;
  const why = Object.hasOwn(connectNotices.errors, error) ? connectNotices.errors[error] : connectNotices.refused;
  return (
    <Around tone="bad">
      {connectNotices.nothing} {why}
    </Around>
  );
}

function Around({ tone, children }: { tone: "good" | "bad"; children: React.ReactNode }) {
  return (
    <div className="mb-6">
      <Notice tone={tone} role={tone === "bad" ? "alert" : "status"}>
        {children}
      </Notice>
    </div>
  );
}
