import { createFileRoute, redirect } from "@tanstack/react-router";

/** The address of the plain page, to which mails and older links lead. */
export const Route = createFileRoute("/security")({
  beforeLoad: () => {
    throw redirect({ to: "/settings/security" });
  },
});
