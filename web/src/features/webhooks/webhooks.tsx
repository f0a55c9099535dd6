import { Link } from "@tanstack/react-router";
import { Plus, Webhook as WebhookIcon } from "lucide-react";
import { useState } from "react";
import { useWebhooks, WEBHOOK_EVENTS, type Webhook } from "@/api/queries/webhooks";
import { webhookWords } from "@/strings/webhooks";
import { Button } from "@/ui/button";
import { EmptyState, Page, Rows } from "@/ui/page";
import { Moment } from "@/ui/parts";
import { Loaded } from "../problem";
import { useSession } from "../session";
import { ForAdmins } from "../settings-nav";
import { CreateWebhookDialog } from "./create";
import { WebhookBadge } from "./standing";

/** The workspace's webhooks. */
export function Webhooks() {
  const { may } = useSession();
  const [creating, setCreating] = useState(false);
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden className="size-4" />
      {webhookWords.create}
    </Button>
  );
  return (
    <Page title={webhookWords.title} intro={webhookWords.intro} actions={may("admin") && create}>
      <ForAdmins>
        <List />
        <CreateWebhookDialog open={creating} onClose={() => setCreating(false)} />
      </ForAdmins>
    </Page>
  );
}

function List() {
  const webhooks = useWebhooks();
  return (
    <Loaded query={webhooks}>
      {({ webhooks }) =>
        webhooks.length === 0 ? (
          <EmptyState icon={WebhookIcon} title={webhookWords.emptyTitle}>
            {webhookWords.emptyText}
          </EmptyState>
        ) : (
          <Rows label={webhookWords.title}>
            {webhooks.map((webhook) => (
              <Row key={webhook.id} webhook={webhook} />
            ))}
          </Rows>
        )
      }
    </Loaded>
  );
}

function Row({ webhook }: { webhook: Webhook }) {
  const { id, url, events, createdAt } = webhook;
  const isAll = events.length === WEBHOOK_EVENTS.length;
  return (
    <li className="relative flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3.5 transition-colors hover:bg-hover">
      <div className="min-w-48 flex-1">
        <Link
          to="/settings/webhooks/$id"
          params={{ id }}
          className="block break-all font-medium -outline-offset-2 before:absolute before:inset-0"
        >
          {url}
        </Link>
        <p className="text-soft">
          {isAll ? webhookWords.allEvents : webhookWords.count(events.length)} · {webhookWords.createdAt}{" "}
          <Moment at={createdAt} />
        </p>
      </div>
      <WebhookBadge webhook={webhook} />
    </li>
  );
}
