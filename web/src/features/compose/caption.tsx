import { useId } from "react";
import { count } from "@/lib/amount";
import { pieces, units } from "@/lib/caption";
import { composeWords } from "@/strings/compose";
import { ProblemNotes } from "./problem-notes";
import { at } from "./problems";
import { useComposing } from "./use-composition";

const TEXT = "col-start-1 row-start-1 min-w-0 whitespace-pre-wrap break-words px-3.5 py-3 text-base leading-6";
/** The part of the limit from which the count is announced. */
const NEARLY = 0.95;

/** The caption, with hashtags and mentions highlighted, and the part of the strictest account's limit that it uses. */
export function Caption() {
  const { doc, edit, schemas, problems } = useComposing();
  const id = useId();
  const limits = doc.accounts.flatMap((account) => schemas.get(account)?.content.maxLength ?? []);
  const most = limits.length > 0 ? Math.min(...limits) : null;
  const found = at(problems, "content");
  return (
    <section className="grid gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <label htmlFor={id} className="font-semibold text-[0.9375rem] leading-6">
          {composeWords.caption}
        </label>
        <Count id={`${id}-count`} used={units(doc.content)} most={most} />
      </div>
      <div className="grid rounded-xl border border-line-strong/60 bg-surface transition-colors focus-within:border-accent hover:border-line-strong has-[[aria-invalid=true]]:border-bad">
        {/* Behind the field: as tall as the text, with the highlights. */}
        <div aria-hidden className={`${TEXT} min-h-36 select-none text-transparent`}>
          {pieces(doc.content).map(({ text, kind }, index) =>
            kind === "plain" ? (
              text
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces have nothing but their place.
              <mark key={index} className="rounded-[0.25rem] bg-accent-soft text-transparent">
                {text}
              </mark>
            ),
          )}
          {"\u200b"}
        </div>
        <textarea
          id={id}
          value={doc.content}
          onChange={({ target }) => edit("content", (doc) => ({ ...doc, content: target.value }))}
          placeholder={composeWords.captionPlaceholder}
          aria-describedby={`${id}-count ${id}-problems`}
          aria-invalid={found.length > 0 || undefined}
          spellCheck
          className={`${TEXT} size-full resize-none overflow-hidden rounded-xl bg-transparent placeholder:text-soft`}
        />
      </div>
      <ProblemNotes id={`${id}-problems`} problems={found} />
    </section>
  );
}

function Count({ id, used, most }: { id: string; used: number; most: number | null }) {
  const over = most === null ? 0 : used - most;
  const isNear = most !== null && used >= most * NEARLY;
  return (
    <p
      id={id}
      title={composeWords.captionHint}
      aria-live={isNear ? "polite" : "off"}
      className={`text-[0.8125rem] tabular-nums ${over > 0 ? "font-medium text-bad" : "text-soft"}`}
    >
      {composeWords.captionCount(count(used), most === null ? null : count(most))}
      {over > 0 && ` · ${composeWords.captionOver(count(over))}`}
    </p>
  );
}
