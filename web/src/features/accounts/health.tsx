import { Check, X } from "lucide-react";
import type { Schemas } from "@/api/client";
import { usePlatformHealth, useRefreshHealth } from "@/api/queries/platforms";
import { count, fill } from "@/lib/amount";
import { accountWords } from "@/strings/accounts";
import { postDetail } from "@/strings/posts";
import { Button } from "@/ui/button";
import { Section } from "@/ui/page";
import { Fact, Facts, Meter, Moment, Notice } from "@/ui/parts";
import { Loaded, tellFailure } from "../problem";

type PlatformHealth = Schemas["PlatformHealth"];

const TONES = { ok: "good", degraded: "warn", blocked: "bad" } as const;

/** The health of an account: problems first, then access, permissions and limits. */
export function Health({ id }: { id: string }) {
  const health = usePlatformHealth(id);
  const refresh = useRefreshHealth(id);
  const check = (
    <Button size="small" busy={refresh.isPending} onClick={() => refresh.mutate(undefined, { onError: tellFailure })}>
      {accountWords.check}
    </Button>
  );
  return (
    <Section title={accountWords.health} actions={check}>
      <Loaded query={health} rows={3}>
        {(health) => (
          <div className="grid gap-6">
            <Verdict health={health} />
            <Facts>
              <Fact name={accountWords.token}>{accountWords.tokens[health.token.state]}</Fact>
              <Fact name={accountWords.checked}>
                <Moment at={health.checkedAt} />
              </Fact>
            </Facts>
            <Limits limits={health.limits} />
            <Permissions scopes={health.scopes} />
          </div>
        )}
      </Loaded>
    </Section>
  );
}

function Verdict({ health }: { health: PlatformHealth }) {
  return (
    <Notice tone={TONES[health.verdict]}>
      <p className="font-medium">{accountWords.verdicts[health.verdict]}</p>
      {health.problems.map(({ code, message, whoActs }) => (
        <p key={code} className="mt-1">
          {message} {postDetail.acts[whoActs]}.
        </p>
      ))}
      {health.refresh && !health.refresh.answered && <p className="mt-1">{health.refresh.message}</p>}
    </Notice>
  );
}

function Limits({ limits }: { limits: PlatformHealth["limits"] }) {
  const rows = [
    { label: accountWords.direct, window: limits.directPosts },
    { label: accountWords.inbox, window: limits.inboxShares },
    { label: accountWords.handOvers, window: limits.handOvers },
  ];
  return (
    <div className="grid gap-4">
      <h3 className="font-medium">{accountWords.limits}</h3>
      {rows.map(({ label, window: { used, limit } }) => (
        <Meter
          key={label}
          label={label}
          value={fill(used, limit)}
          text={accountWords.of(count(used), limit === null ? null : count(limit))}
        />
      ))}
    </div>
  );
}

function Permissions({ scopes }: { scopes: PlatformHealth["scopes"] }) {
  return (
    <div className="grid gap-2">
      <h3 className="font-medium">{accountWords.permissions}</h3>
      <ul className="grid gap-2">
        {scopes.map(({ scope, granted, meaning, without }) => (
          <li key={scope} className="flex items-start gap-2">
            {granted ? (
              <Check aria-label={accountWords.granted} className="mt-0.5 size-4 shrink-0 text-good" />
            ) : (
              <X aria-label={accountWords.notGranted} className="mt-0.5 size-4 shrink-0 text-bad" />
            )}
            <span>
              {meaning}
              {!granted && <span className="block text-soft">{without}</span>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
