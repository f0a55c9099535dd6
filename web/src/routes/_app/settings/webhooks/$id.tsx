import { createFileRoute } from "@tanstack/react-router";
import { WebhookDetail } from "@/features/webhooks/detail";

export const Route = createFileRoute("/_app/settings/webhooks/$id")({
  component: () => <WebhookDetail key={Route.useParams().id} id={Route.useParams().id} />,
});
