import { CircleAlert, CircleCheck, CircleDashed, CircleX, type LucideIcon } from "lucide-react";
import type { Schemas } from "@/api/client";
import { useAttempts } from "@/api/queries/posts";
import { postDetail } from "@/strings/posts";
import { CopyButton, Fact, Facts, Moment } from "@/ui/parts";
import { Loaded } from "../problem";

type Attempt = Schemas["Attempt"];

const LOOKS: Record<keyof typeof postDetail.outcomes, { icon: LucideIcon; colour: string }> = {
  published: { icon: CircleCheck, colour: "text-good" },
  in_inbox: { icon: CircleCheck, colour: "text-warn" },
  rejected: { icon: CircleX, colour: "text-bad" },
  abandoned: { icon: CircleAlert, colour: "text-warn" },
  reauthorize: { icon: CircleAlert, colour: "text-warn" },
  unknown: { icon: CircleAlert, colour: "text-warn" },
  open: { icon: CircleDashed, colour: "text-info" },
};

/** Every attempt with its explanation, newest first. */
export function Timeline({ id }: { id: string }) {
  const attempts = useAttempts(id);
  return (
    <Loaded query={attempts} rows={2}>
      {({ attempts }) =>
        attempts.length === 0 ? (
          <p className="text-soft">{postDetail.timelineEmpty}</p>
        ) : (
          <ol className="grid">
            {attempts.toReversed().map((attempt) => (
              <Entry key={attempt.id} attempt={attempt} />
            ))}
          </ol>
        )
      }
    </Loaded>
  );
}

function Entry({ attempt }: { attempt: Attempt }) {
  const outcome = attempt.outcome ?? "open";
  const { icon: Icon, colour } = LOOKS[outcome];
  return (
    <li className="grid grid-cols-[1.25rem_1fr] gap-x-3">
      <Icon aria-hidden className={`mt-0.5 size-5 ${colour}`} strokeWidth={1.75} />
      <div className="min-w-0 pb-6">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-medium">{postDetail.outcomes[outcome]}</span>
          <span className="text-soft text-xs">
            <Moment at={attempt.startedAt} />
            {attempt.endedAt && took(attempt.startedAt, attempt.endedAt)}
          </span>
        </p>
        <Told attempt={attempt} />
        <Technical attempt={attempt} />
      </div>
    </li>
  );
}

/** The duration, if it was noticeable. */
function took(from: string, to: string): string {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  return seconds < 1 ? "" : ` · ${postDetail.took(seconds.toFixed(1))}`;
}

/** What happened, who must act, and the next step. */
function Told({ attempt: { explanation, message, nextRetryAt } }: { attempt: Attempt }) {
  return (
    <>
      {explanation ? (
        <p className="mt-1 max-w-prose">
          {explanation.whatHappened} <span className="font-medium">{explanation.nextStep}</span>
        </p>
      ) : (
        message && <p className="mt-1 max-w-prose">{message}</p>
      )}
      {explanation && <p className="mt-1 text-soft">{postDetail.acts[explanation.whoActs]}.</p>}
      {nextRetryAt && (
        <p className="mt-1 text-soft">
          {postDetail.retry} <Moment at={nextRetryAt} />
        </p>
      )}
    </>
  );
}

/** The details for the provider's support, collapsed. */
function Technical({ attempt }: { attempt: Attempt }) {
  const { code, logId, publishId, transfer, transferReason } = attempt;
  if (!code && !logId && !publishId) return null;
  return (
    <details className="mt-2">
      <summary className="w-fit rounded text-soft text-xs hover:text-ink">{postDetail.technical}</summary>
      <div className="mt-2 rounded-lg bg-sunken px-4 py-3 text-xs">
        <Facts>
          {code && (
            <Fact name={postDetail.code}>
              <code className="font-mono">{code}</code>
            </Fact>
          )}
          {logId && (
            <Fact name={postDetail.logId}>
              <span className="flex flex-wrap items-center gap-2">
                <code className="break-all font-mono">{logId}</code>
                <CopyButton text={logId} />
              </span>
            </Fact>
          )}
          {publishId && (
            <Fact name={postDetail.publishId}>
              <code className="break-all font-mono">{publishId}</code>
            </Fact>
          )}
          {transfer && (
            <Fact name={postDetail.transfer}>
              {postDetail.transfers[transfer]}
              {transferReason && `: ${transferReason}`}
            </Fact>
          )}
        </Facts>
      </div>
    </details>
  );
}
