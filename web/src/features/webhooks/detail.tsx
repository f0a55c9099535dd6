import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useWebhooks, type Webhook } from "@/api/queries/webhooks";
import { full } from "@/lib/time";
import { problems } from "@/strings/shell";
import { webhookWords } from "@/strings/webhooks";
import { ErrorState, Page, Section } from "@/ui/page";
import { Fact, Facts } from "@/ui/parts";
import { Loaded } from "../problem";
import { useSession } from "../session";
import { ForAdmins } from "../settings-nav";
import { WebhookActions } from "./actions";
import { Deliveries } from "./deliveries";
import { WebhookBadge } from "./standing";

const back = (
  <Link to="/settings/webhooks" className="inline-flex items-center gap-1.5 rounded text-soft hover:text-ink">
    <ArrowLeft aria-hidden className="size-4" />
    {webhookWords.back}
  </Link>
);

/** The title of a webhook: its host; an invalid address is shown as it is. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** One webhook: its address, its events, and its deliveries. */
export function WebhookDetail({ id }: { id: string }) {
  const webhooks = useWebhooks();
  const { may } = useSession();
  const webhook = webhooks.data?.webhooks.find((webhook) => webhook.id === id);
  return (
    <Page
      back={back}
      title={webhook ? hostOf(webhook.url) : webhookWords.title}
      intro={webhook && may("admin") && <Standing webhook={webhook} />}
      actions={webhook && may("admin") && <WebhookActions webhook={webhook} />}
    >
      <ForAdmins>
        <Loaded query={webhooks}>
          {() => (webhook ? <Shown webhook={webhook} /> : <ErrorState {...problems.not_found} requestId={null} />)}
        </Loaded>
      </ForAdmins>
    </Page>
  );
}

function Shown({ webhook: { id, events, createdAt } }: { webhook: Webhook }) {
  return (
    <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[1fr_20rem]">
      <div className="min-w-0">
        <Section title={webhookWords.deliveries} intro={webhookWords.deliveriesIntro}>
          <Deliveries id={id} />
        </Section>
      </div>
      <div className="min-w-0">
        <Facts>
          <Fact name={webhookWords.events}>
            <ul className="grid gap-1">
              {events.map((event) => (
                <li key={event}>
                  {webhookWords.kinds[event]}
                  <code className="block font-mono text-soft text-xs">{event}</code>
                </li>
              ))}
            </ul>
          </Fact>
          <Fact name={webhookWords.createdAt}>{full(createdAt)}</Fact>
        </Facts>
      </div>
    </div>
  );
}

/** Its state, and its whole address, which is text rather than a link. */
function Standing({ webhook }: { webhook: Webhook }) {
  return (
    <span className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2">
      <WebhookBadge webhook={webhook} />
      <span className="break-all">{webhook.url}</span>
    </span>
  );
}
