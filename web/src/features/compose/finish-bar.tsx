import { useNavigate } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import { useId, useState } from "react";
import { composeWords, finishWords } from "@/strings/compose";
import { Button } from "@/ui/button";
import { Notice } from "@/ui/parts";
import { toast } from "@/ui/toasts";
import { isQueued } from "./composition";
import { isUndecided, type Problem } from "./problems";
import { BRANDED, isForInbox } from "./settings";
import { useComposing } from "./use-composition";
import type { Outcome } from "./use-finish";

const LEGAL = "https://www.tiktok.com/legal/page/global";
const LINK = "rounded text-accent underline underline-offset-2";

interface Props {
  onFinish: () => void;
  busy: boolean;
  isUploading: boolean;
  /** The number of rejected files: the post is published without them. */
  refused: number;
  /** All problems that prevent publishing, after an attempt. */
  missing: readonly Problem[];
  outcome: Outcome | null;
}

/** The consent, the next step, and the button. */
export function FinishBar({ onFinish, busy, isUploading, refused, missing, outcome }: Props) {
  const { doc, at } = useComposing();
  const id = useId();
  const queued = isQueued(doc);
  const undecided = doc.accounts.some((account) => isUndecided(doc, account));
  const count = doc.accounts.length;
  const label = queued && at !== null ? finishWords.saveQueued : finishWords.publish(count);
  const why = undecided ? composeWords.disclosure.undecided : isUploading ? finishWords.unsavedMedia : null;
  return (
    <div className="grid gap-4 border-line border-t pt-6">
      {outcome && (
        <Notice tone={outcome.done > 0 ? "warn" : "bad"} role="alert">
          {finishWords.partly(outcome.done, outcome.all)}
        </Notice>
      )}
      <div id={id} className="grid gap-1 text-[0.8125rem] text-soft">
        <Consent />
        <p>{composeWords.processing}</p>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          kind="primary"
          busy={busy}
          disabled={why !== null}
          title={why ?? undefined}
          aria-describedby={`${id} ${id}-why`}
          onClick={onFinish}
        >
          {doc.when.mode === "schedule" && !queued ? finishWords.schedule(count) : label}
        </Button>
        {!queued && <KeepDraft />}
        <p id={`${id}-why`} className="min-w-0 flex-1 text-[0.8125rem] text-soft">
          {why ?? (refused > 0 ? finishWords.withoutRefused(refused) : null)}
        </p>
      </div>
      {missing.length > 0 && (
        <p role="alert" className="flex items-center gap-2 font-medium text-bad">
          <CircleAlert aria-hidden className="size-4" />
          {finishWords.problems(missing.length)}
        </p>
      )}
    </div>
  );
}

/** Leaves the draft as it is, and closes the composer. */
function KeepDraft() {
  const { saver } = useComposing();
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();
  const keep = async () => {
    setBusy(true);
    toast((await saver.save()) ? finishWords.keptDraft : finishWords.keptHere);
    await navigate({ to: "/posts" });
  };
  return (
    <Button busy={busy} onClick={() => void keep()}>
      {finishWords.keepDraft}
    </Button>
  );
}

/** The provider's own words; a post that is finished in its app needs no consent. */
function Consent() {
  const { doc } = useComposing();
  const direct = doc.accounts.map((account) => doc.settings[account] ?? {}).filter((settings) => !isForInbox(settings));
  if (direct.length === 0 && doc.accounts.length > 0) return null;
  const isBranded = direct.some((settings) => settings[BRANDED] === true);
  const { before, branded, and, music } = composeWords.consent;
  return (
    <p>
      {before}
      {isBranded && (
        <>
          <a href={`${LEGAL}/bc-policy/en`} target="_blank" rel="noreferrer" className={LINK}>
            {branded}
          </a>
          {and}
        </>
      )}
      <a href={`${LEGAL}/music-usage-confirmation/en`} target="_blank" rel="noreferrer" className={LINK}>
        {music}
      </a>
    </p>
  );
}
