import { useState } from "react";
import type { Schemas } from "@/api/client";
import { useEndOtherSessions, useEndSession, useSessions } from "@/api/queries/session";
import { readProgram } from "@/lib/program";
import { daysSince, full } from "@/lib/time";
import { securityWords } from "@/strings/security";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/dialog";
import { Rows, Section } from "@/ui/page";
import { Badge, Moment } from "@/ui/parts";
import { toast } from "@/ui/toasts";
import { Loaded, tellFailure } from "../problem";
import { useLeave } from "../session";

type Session = Schemas["OwnSession"];

function shownProgram({ program }: Session): string {
  const { name, system } = readProgram(program);
  return securityWords.program(name, system);
}

/** The user's sessions, with the actions that end them. */
export function Sessions() {
  const sessions = useSessions();
  const leave = useLeave();
  return (
    <Section title={securityWords.sessions} intro={securityWords.sessionsText}>
      <Loaded query={sessions} rows={2}>
        {({ sessions }) => <SessionList sessions={sessions} />}
      </Loaded>
      <div className="mt-4 flex flex-wrap gap-2">
        {sessions.data?.sessions.some(({ current }) => !current) && <EndOthers />}
        <Button onClick={() => leave(true)}>{securityWords.everywhere}</Button>
      </div>
    </Section>
  );
}

function SessionList({ sessions }: { sessions: Session[] }) {
  const [asked, setAsked] = useState<Session | null>(null);
  const end = useEndSession();
  const run = (session: Session) =>
    end.mutate(session.id, {
      onSuccess: () => toast(securityWords.ended(shownProgram(session))),
      onError: tellFailure,
      onSettled: () => setAsked(null),
    });
  return (
    <>
      <Rows label={securityWords.sessions}>
        {sessions.map((session) => (
          <Row key={session.id} session={session} onEnd={() => setAsked(session)} />
        ))}
      </Rows>
      <Confirm
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={securityWords.endTitle(asked ? shownProgram(asked) : "")}
        action={securityWords.end}
        busy={end.isPending}
        onConfirm={() => asked && run(asked)}
      >
        <p>{securityWords.endText(asked?.address ?? null)}</p>
      </Confirm>
    </>
  );
}

function Row({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { address, createdAt, lastNotedAt, current } = session;
  const program = shownProgram(session);
  const days = daysSince(lastNotedAt, new Date());
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="break-all font-medium">{program}</span>
          {current && <Badge tone="good">{securityWords.current}</Badge>}
        </p>
        <p className="text-soft">
          <span className="break-all">{address ?? securityWords.noAddress}</span>
          {" · "}
          {securityWords.since} <Moment at={createdAt} />
          {" · "}
          {current ? (
            securityWords.inUse
          ) : (
            <time dateTime={lastNotedAt} title={full(lastNotedAt)}>
              {securityWords.lastUsed(days)}
            </time>
          )}
        </p>
      </div>
      {!current && (
        <Button size="small" kind="danger" onClick={onEnd} aria-label={securityWords.endOne(program, address)}>
          {securityWords.end}
        </Button>
      )}
    </li>
  );
}

function EndOthers() {
  const [isAsked, setAsked] = useState(false);
  const end = useEndOtherSessions();
  const run = () =>
    end.mutate(undefined, {
      onSuccess: ({ ended }) => toast(securityWords.othersEnded(ended)),
      onError: tellFailure,
      onSettled: () => setAsked(false),
    });
  return (
    <>
      <Button kind="danger" onClick={() => setAsked(true)}>
        {securityWords.endOthers}
      </Button>
      <Confirm
        open={isAsked}
        onClose={() => setAsked(false)}
        title={securityWords.endOthersTitle}
        action={securityWords.endOthers}
        busy={end.isPending}
        onConfirm={run}
      >
        <p>{securityWords.endOthersText}</p>
      </Confirm>
    </>
  );
}
