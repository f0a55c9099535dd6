import { createFileRoute } from "@tanstack/react-router";
import { Plan } from "@/features/plan/plan";

export const Route = createFileRoute("/_app/settings/plan")({ component: Plan });
