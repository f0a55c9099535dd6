/** Access to pages. */
import type { QueryClient } from "@tanstack/react-query";
import { redirect } from "@tanstack/react-router";
import { ApiError } from "@/api/client";
import { meQuery } from "@/api/queries/session";

/** Requires a session; other visitors sign in first, and return to this address. */
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
