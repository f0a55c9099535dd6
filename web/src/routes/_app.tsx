import { createFileRoute, redirect } from "@tanstack/react-router";
import { ApiError } from "@/api/client";
import { meQuery } from "@/api/queries/session";
import { Broken } from "@/features/shell/broken";
import { Shell } from "@/features/shell/shell";

/** The pages for those who are signed in; everybody else signs in first and comes back. */
export const Route = createFileRoute("/_app")({
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queries.ensureQueryData(meQuery);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        const next = location.href;
        throw redirect({ to: "/sign-in", search: next === "/" ? {} : { next } });
      }
      throw error;
    }
  },
  component: Shell,
  errorComponent: Broken,
});
