import { createFileRoute } from "@tanstack/react-router";
import { Keys } from "@/features/keys/keys";

export const Route = createFileRoute("/_app/settings/keys")({ component: Keys });
