import "@fontsource-variable/inter";
import "./ui/tokens.css";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRouter, RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError } from "./api/client";
import { meQuery } from "./api/queries/session";
import { Broken } from "./features/shell/broken";
import { NotFound } from "./features/shell/not-found";
import { Waiting } from "./features/shell/waiting";
import { parseSearch, stringifySearch } from "./lib/search";
import { routeTree } from "./routeTree.gen";
import { startTheme } from "./ui/theme";

const MOST_RETRIES = 1;

/** Rejected requests are not retried; temporary errors once. For rate limits the client has waited already. */
const retry = (failures: number, error: Error) =>
  failures < MOST_RETRIES && !(error instanceof ApiError && error.status >= 400 && error.status < 500);

/** The session ended elsewhere: the user signs in and returns. Their input is stored in the browser. */
function onError(error: Error): void {
  const isOver = error instanceof ApiError && error.code === "invalid_session";
  if (!isOver || !queries.getQueryData(meQuery.queryKey)) return;
  queries.removeQueries({ queryKey: meQuery.queryKey });
  void router.invalidate();
}

const queries = new QueryClient({
  defaultOptions: { queries: { retry, retryDelay: 2_000, staleTime: 5_000 } },
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
});

const router = createRouter({
  routeTree,
  context: { queries },
  defaultPreload: "intent",
  scrollRestoration: true,
  parseSearch,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: Broken,
  stringifySearch,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

startTheme();
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Waiting />
      </QueryClientProvider>
    </StrictMode>,
  );
}
