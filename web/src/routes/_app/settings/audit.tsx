import { createFileRoute } from "@tanstack/react-router";
import { Audit } from "@/features/audit/audit";

export const Route = createFileRoute("/_app/settings/audit")({ component: Audit });
