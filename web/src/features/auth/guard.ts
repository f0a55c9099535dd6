/** Who may see a page. */
import type { QueryClient } from "@tanstack/react-query";
import { redirect } from "@tanstack/react-router";
import { ApiError } from "@/api/client";
import { meQuery } from "@/api/queries/session";

/** Lets those in who are signed in; everybody else signs in first, and comes back to this address. */
export async function signedInOnly(queries: QueryClient, href: string): Promise<void> {
  try {
    await queries.ensureQueryData(meQuery);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      throw redirect({ to: "/sign-in", search: href === "/" ? {} : { next: href } });
    }
    throw error;
  }
}
