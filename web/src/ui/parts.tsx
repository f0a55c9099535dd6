import { Check, Copy, type LucideIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { full, relative } from "@/lib/time";
import { ui } from "@/strings/ui";
import { Button } from "./button";

/** The tone of a state. */
export type Tone = "good" | "warn" | "bad" | "info" | "plain";

const TONES: Record<Tone, string> = {
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  info: "bg-info-soft text-info",
  plain: "bg-sunken text-soft",
};

/** A state in a word, with its icon: colour alone is not enough. */
export function Badge({ tone, icon: Icon, children }: { tone: Tone; icon?: LucideIcon; children: ReactNode }) {
  return (
    <span
      className={`inline-flex h-6 items-center gap-1.5 whitespace-nowrap rounded-full px-2.5 font-medium text-xs ${TONES[tone]}`}
    >
      {Icon && <Icon aria-hidden className="size-3.5" />}
      {children}
    </span>
  );
}

/** Something that must be read before continuing. */
export function Notice({
  tone,
  children,
  role = "status",
}: {
  tone: Tone;
  children: ReactNode;
  role?: "status" | "alert";
}) {
  return (
    <div role={role} className={`rounded-xl px-4 py-3 ${TONES[tone]}`}>
      {children}
    </div>
  );
}

/** A moment as a relative time; the tooltip has the date, the time and the zone. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={full(at)} className="whitespace-nowrap">
      {relative(at, new Date())}
    </time>
  );
}

/** Two letters in a circle, for an account or a person. */
export function Initials({ name, large = false }: { name: string; large?: boolean }) {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...name.trim()].slice(0, 2);
  return (
    <span
      aria-hidden
      className={`flex shrink-0 items-center justify-center rounded-full bg-accent-soft font-semibold text-accent uppercase ${large ? "size-10 text-sm" : "size-8 text-xs"}`}
    >
      {letters.join("")}
    </span>
  );
}

/** The used part of something. */
export function Meter({ label, value, text }: { label: string; value: number; text: string }) {
  const tone = value >= 1 ? "bg-bad" : value >= 0.8 ? "bg-warn" : "bg-accent";
  return (
    <div className="grid gap-2">
      <div className="flex items-baseline justify-between gap-4">
        <span className="text-soft">{label}</span>
        <span className="font-medium tabular-nums">{text}</span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> each their own way. */}
      <div
        role="meter"
        aria-label={label}
        aria-valuenow={Math.round(value * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={text}
        className="h-1 overflow-hidden rounded-full bg-sunken"
      >
        <div className={`h-full rounded-full ${tone}`} style={{ width: `${value * 100}%` }} />
      </div>
    </div>
  );
}

/** Copies a text to the clipboard. */
export function CopyButton({ text, label = ui.copy }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <Button size="small" onClick={copy} aria-live="polite">
      {copied ? <Check aria-hidden className="size-4 text-good" /> : <Copy aria-hidden className="size-4" />}
      {copied ? ui.copied : label}
    </Button>
  );
}

/** A key of the keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded border border-line bg-sunken px-1 font-sans text-soft text-xs">
      {children}
    </kbd>
  );
}

/** Facts with their names. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[minmax(6rem,max-content)_1fr] gap-x-6 gap-y-2.5">{children}</dl>;
}

/** One of them. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}
