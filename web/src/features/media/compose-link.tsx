import { useRouter } from "@tanstack/react-router";
import type { MouseEvent, ReactNode } from "react";

/** A link to the composer. Its address has several media parameters, so it is built by hand. */
export function ComposeLink({ href, className, children }: { href: string; className: string; children: ReactNode }) {
  const { history } = useRouter();
  const go = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.push(href);
  };
  return (
    <a href={href} onClick={go} className={className}>
      {children}
    </a>
  );
}
