import { Link } from "@tanstack/react-router";
import { Check, Plus } from "lucide-react";
import { useId } from "react";
import type { Schemas } from "@/api/client";
import { composeWords } from "@/strings/compose";
import { buttonClass } from "@/ui/button";
import { Initials } from "@/ui/parts";
import { nameOf } from "../accounts/names";
import { AccountBadge, standing } from "../accounts/standing";
import { withAccount } from "./composition";
import { ProblemNotes } from "./problem-notes";
import { at } from "./problems";
import { useComposing } from "./use-composition";

/** The choice of accounts. Those that cannot be posted to show the reason. */
export function AccountPicker() {
  const { platforms, problems } = useComposing();
  const id = useId();
  return (
    <fieldset aria-describedby={`${id}-problems`} className="grid gap-2">
      <legend className="mb-2 font-semibold text-[0.9375rem] leading-6">{composeWords.accounts}</legend>
      {platforms.length === 0 ? (
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-xl border border-line border-dashed px-4 py-3">
          <p className="text-soft">{composeWords.noAccountsText}</p>
          <Link to="/accounts" className={buttonClass("secondary", "small")}>
            <Plus aria-hidden className="size-4" />
            {composeWords.connect}
          </Link>
        </div>
      ) : (
        <div className="grid gap-2 sm:grid-cols-2">
          {platforms.map((platform) => (
            <Account key={platform.id} platform={platform} />
          ))}
        </div>
      )}
      <ProblemNotes id={`${id}-problems`} problems={at(problems, "accounts")} />
    </fieldset>
  );
}

function Account({ platform }: { platform: Schemas["Platform"] }) {
  const { doc, edit } = useComposing();
  const isChosen = doc.accounts.includes(platform.id);
  const isReady = !platform.disabled && !platform.refreshNeeded;
  const post = doc.posts[platform.id];
  const isLocked = post !== undefined && !post.made;
  const note = isLocked ? composeWords.accountLocked : isReady ? undefined : standing(platform);
  return (
    <label
      title={note}
      className="relative flex min-h-14 items-center gap-3 rounded-xl border border-line bg-surface px-3 py-2 transition-colors has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent has-[:focus-visible]:outline-offset-2 has-[:disabled]:cursor-not-allowed has-[:enabled]:hover:bg-hover has-[:checked]:border-accent has-[:checked]:bg-accent-soft/40"
    >
      <input
        type="checkbox"
        checked={isChosen}
        disabled={isLocked || (!isReady && !isChosen)}
        onChange={({ target }) => edit("accounts", (doc) => withAccount(doc, platform.id, target.checked))}
        className="peer absolute inset-0 size-full cursor-[inherit] opacity-0"
      />
      <Initials name={nameOf(platform)} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{nameOf(platform)}</span>
        <span className="block truncate text-[0.8125rem] text-soft">
          {platform.displayHandle ? `@${platform.displayHandle}` : platform.providerName}
          {isLocked && <span className="sr-only"> {note}</span>}
        </span>
      </span>
      {isReady ? (
        <span
          aria-hidden
          className="flex size-5 shrink-0 items-center justify-center rounded-full border border-line-strong text-on-accent peer-checked:border-accent peer-checked:bg-accent [&>svg]:opacity-0 peer-checked:[&>svg]:opacity-100"
        >
          <Check className="size-3.5" strokeWidth={3} />
        </span>
      ) : (
        <AccountBadge platform={platform} />
      )}
    </label>
  );
}
