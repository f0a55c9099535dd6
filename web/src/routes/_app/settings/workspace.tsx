import { createFileRoute } from "@tanstack/react-router";
import { WorkspaceSettings } from "@/features/workspace/workspace";

export const Route = createFileRoute("/_app/settings/workspace")({ component: WorkspaceSettings });
