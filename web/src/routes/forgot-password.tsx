import { createFileRoute } from "@tanstack/react-router";
import { Forgot } from "@/features/auth/password";

export const Route = createFileRoute("/forgot-password")({ component: Forgot });
