import { createFileRoute, Outlet } from "@tanstack/react-router";
import { SettingsNav } from "@/features/settings-nav";

export const Route = createFileRoute("/_app/settings")({
  component: () => (
    <>
      <SettingsNav />
      <Outlet />
    </>
  ),
});
