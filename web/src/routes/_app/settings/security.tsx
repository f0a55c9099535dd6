import { createFileRoute } from "@tanstack/react-router";
import { Security } from "@/features/security/security";

export const Route = createFileRoute("/_app/settings/security")({ component: Security });
