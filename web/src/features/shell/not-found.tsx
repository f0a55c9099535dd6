import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { shell } from "@/strings/shell";
import { buttonClass } from "@/ui/button";
import { EmptyState, Page } from "@/ui/page";

/** The page of an unknown address. */
export function NotFound() {
  return (
    <Page title={shell.notFoundTitle}>
      <EmptyState
        icon={Compass}
        title={shell.notFoundTitle}
        action={
          <Link to="/" className={buttonClass("primary")}>
            {shell.toHome}
          </Link>
        }
      >
        {shell.notFoundText}
      </EmptyState>
    </Page>
  );
}
