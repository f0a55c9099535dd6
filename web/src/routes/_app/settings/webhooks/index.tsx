import { createFileRoute } from "@tanstack/react-router";
import { Webhooks } from "@/features/webhooks/webhooks";

export const Route = createFileRoute("/_app/settings/webhooks/")({ component: Webhooks });
