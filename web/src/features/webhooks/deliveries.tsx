import { CircleCheck, CircleDashed, CircleX, Clock, type LucideIcon, Send } from "lucide-react";
import { type Delivery, isUnderWay, useDeliveries, useRedeliver } from "@/api/queries/webhooks";
import { webhookWords } from "@/strings/webhooks";
import { Button } from "@/ui/button";
import { EmptyState, ErrorState, Rows, Skeleton } from "@/ui/page";
import { Badge, CopyButton, Moment, type Tone } from "@/ui/parts";
import { toast } from "@/ui/toasts";
import { tellFailure, told } from "../problem";

type Standing = keyof typeof webhookWords.states;

const LOOKS: Record<Standing, { tone: Tone; icon: LucideIcon }> = {
  pending: { tone: "info", icon: CircleDashed },
  waiting: { tone: "warn", icon: Clock },
  delivered: { tone: "good", icon: CircleCheck },
  failed: { tone: "bad", icon: CircleX },
};

const standingOf = (delivery: Delivery): Standing =>
  delivery.state !== "pending" ? delivery.state : isUnderWay(delivery) ? "pending" : "waiting";

/** The deliveries of a webhook, with their responses. */
export function Deliveries({ id }: { id: string }) {
  const pages = useDeliveries(id);
  if (pages.isPending) return <Skeleton rows={4} />;
  if (pages.isError) return <ErrorState {...told(pages.error)} onRetry={() => void pages.refetch()} />;
  const deliveries = pages.data.pages.flatMap((page) => page.deliveries);
  if (deliveries.length === 0) {
    return (
      <EmptyState icon={Send} title={webhookWords.noDeliveries}>
        {webhookWords.noDeliveriesText}
      </EmptyState>
    );
  }
  return (
    <>
      <Rows label={webhookWords.deliveries}>
        {deliveries.map((delivery) => (
          <Row key={delivery.id} delivery={delivery} />
        ))}
      </Rows>
      {pages.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {webhookWords.more}
          </Button>
        </div>
      )}
    </>
  );
}

function Row({ delivery }: { delivery: Delivery }) {
  const standing = standingOf(delivery);
  const { tone, icon } = LOOKS[standing];
  const name = webhookWords.kinds[delivery.event];
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-48 flex-1">
          <p className="font-medium">{name}</p>
          <Outcome delivery={delivery} isWaiting={standing === "waiting"} />
        </div>
        <Badge tone={tone} icon={icon}>
          {webhookWords.states[standing]}
        </Badge>
        <Again delivery={delivery} name={name} />
      </div>
      <Exchange delivery={delivery} />
    </li>
  );
}

/** The time, the number of attempts, the response, and the next attempt. */
function Outcome({ delivery, isWaiting }: { delivery: Delivery; isWaiting: boolean }) {
  const { attempts, attemptedAt, createdAt, nextAttemptAt, responseStatus } = delivery;
  const answer = responseStatus === null ? webhookWords.noAnswer : webhookWords.status(responseStatus);
  return (
    <p className="text-soft">
      <Moment at={attemptedAt ?? createdAt} />
      {attempts > 0 && ` · ${answer} · ${webhookWords.attempts(attempts)}`}
      {isWaiting && nextAttemptAt && (
        <>
          {" · "}
          {webhookWords.next} <Moment at={nextAttemptAt} />
        </>
      )}
    </p>
  );
}

function Again({ delivery, name }: { delivery: Delivery; name: string }) {
  const redeliver = useRedeliver();
  const run = () =>
    redeliver.mutate(delivery.id, { onSuccess: () => toast(webhookWords.redelivered), onError: tellFailure });
  return (
    <Button
      size="small"
      busy={redeliver.isPending}
      disabled={isUnderWay(delivery)}
      onClick={run}
      aria-label={`${webhookWords.redeliver}: ${name}`}
    >
      {webhookWords.redeliver}
    </Button>
  );
}

const BLOCK = "overflow-x-auto whitespace-pre-wrap break-all font-mono text-xs";

/** The request and the response, collapsed. It is untrusted text, rendered as text. */
function Exchange({ delivery }: { delivery: Delivery }) {
  const { eventId, payload, attempts, responseStatus, responseText, problem } = delivery;
  const sent = JSON.stringify(payload, null, 2);
  return (
    <details className="mt-1">
      <summary className="w-fit rounded text-soft text-xs hover:text-ink">{webhookWords.details}</summary>
      <div className="mt-2 grid gap-3 rounded-lg bg-sunken px-4 py-3 text-xs">
        <div className="grid gap-2">
          <div className="flex items-center justify-between gap-4">
            <p className="font-medium">{webhookWords.request}</p>
            <CopyButton text={sent} />
          </div>
          <p className="break-all text-soft">
            {webhookWords.eventId}: <code className="font-mono">{eventId}</code>
          </p>
          <pre className={BLOCK}>{sent}</pre>
        </div>
        {attempts > 0 && (
          <div className="grid gap-2">
            <p className="font-medium">
              {webhookWords.response}
              {responseStatus !== null && ` · ${responseStatus}`}
            </p>
            <pre className={BLOCK}>{responseText || problem || webhookWords.responseEmpty}</pre>
          </div>
        )}
      </div>
    </details>
  );
}
