import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, Outlet } from "@tanstack/react-router";
import { NotFound } from "@/features/shell/not-found";
import { Toasts } from "@/ui/toasts";

/** The root of every page. */
export const Route = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: () => (
    <>
      <Outlet />
      <Toasts />
    </>
  ),
  notFoundComponent: () => (
    <main>
      <NotFound />
    </main>
  ),
});
