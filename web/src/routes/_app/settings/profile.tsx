import { createFileRoute } from "@tanstack/react-router";
import { Profile } from "@/features/profile/profile";

export const Route = createFileRoute("/_app/settings/profile")({ component: Profile });
