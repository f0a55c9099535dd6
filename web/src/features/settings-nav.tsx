import { Link, useRouterState } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { settingsNav } from "@/strings/settings";
import { EmptyState } from "@/ui/page";
import { useSession } from "./session";

const PERSONAL_TABS = [
  { to: "/settings/profile", label: settingsNav.profile },
  { to: "/settings/security", label: settingsNav.security },
] as const;
const TABS = [
  ...PERSONAL_TABS,
  { to: "/settings/workspace", label: settingsNav.workspace },
  { to: "/settings/members", label: settingsNav.members },
  { to: "/settings/keys", label: settingsNav.keys },
  { to: "/settings/webhooks", label: settingsNav.webhooks },
  { to: "/settings/plan", label: settingsNav.plan },
  { to: "/settings/audit", label: settingsNav.audit },
] as const;

/** Whether a page is only about the user, and works without a workspace. */
export const isPersonalPage = (path: string): boolean =>
  PERSONAL_TABS.some(({ to }) => path === to || path === `${to}/`);

/**
 * The pages of the settings; without a workspace, the personal ones. On a phone the line scrolls, with the present one in
 * view.
 */
export function SettingsNav() {
  const { workspace } = useSession();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const line = list.current;
    const current = [...(line?.querySelectorAll("a") ?? [])].find((link) => path.startsWith(link.pathname));
    if (!line || !current) return;
    // Its width changes when the style sheet loads late, and when a phone is rotated.
    const width = new ResizeObserver(() => {
      line.scrollLeft += middle(current) - middle(line);
    });
    width.observe(line);
    return () => width.disconnect();
  }, [path]);
  return (
    <nav aria-label={settingsNav.label} className="border-line border-b">
      <ul ref={list} className="mx-auto flex w-full max-w-5xl gap-1 overflow-x-auto px-4 pt-2 md:px-8 md:pt-4">
        {(workspace ? TABS : PERSONAL_TABS).map(({ to, label }) => (
          <li key={to}>
            <Link
              to={to}
              activeProps={{ "aria-current": "page" }}
              className="flex h-10 items-center whitespace-nowrap border-transparent border-b-2 px-2 font-medium text-soft -outline-offset-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function middle(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}

/** Content for owners and admins only; other members see who can change it. */
export function ForAdmins({ children }: { children: ReactNode }) {
  const { may } = useSession();
  if (may("admin")) return <>{children}</>;
  return (
    <EmptyState icon={Lock} title={settingsNav.onlyAdminsTitle}>
      {settingsNav.onlyAdminsText}
    </EmptyState>
  );
}
