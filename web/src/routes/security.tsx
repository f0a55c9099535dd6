import { createFileRoute, redirect } from "@tanstack/react-router";

/** The address of the plain page, which mails and older links have. */
export const Route = createFileRoute("/security")({
  beforeLoad: () => {
    throw redirect({ to: "/settings/security" });
  },
});
