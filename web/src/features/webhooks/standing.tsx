import { CircleAlert, CircleCheck, CirclePause } from "lucide-react";
import type { Webhook } from "@/api/queries/webhooks";
import { webhookWords } from "@/strings/webhooks";
import { Badge } from "@/ui/parts";

/** Whether a webhook is active, and why not. */
export function WebhookBadge({ webhook: { disabled, disabledReason } }: { webhook: Webhook }) {
  if (!disabled) {
    return (
      <Badge tone="good" icon={CircleCheck}>
        {webhookWords.active}
      </Badge>
    );
  }
  const isOurs = disabledReason === "failing" || disabledReason === "gone";
  return (
    <Badge tone={isOurs ? "bad" : "plain"} icon={isOurs ? CircleAlert : CirclePause}>
      {isOurs ? webhookWords[disabledReason] : webhookWords.paused}
    </Badge>
  );
}
