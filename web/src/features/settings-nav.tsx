import { Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { settingsNav } from "@/strings/settings";
import { EmptyState } from "@/ui/page";
import { useSession } from "./session";

const TABS = [
  { to: "/settings/profile", label: settingsNav.profile },
  { to: "/settings/workspace", label: settingsNav.workspace },
  { to: "/settings/members", label: settingsNav.members },
  { to: "/settings/keys", label: settingsNav.keys },
  { to: "/settings/plan", label: settingsNav.plan },
  { to: "/settings/audit", label: settingsNav.audit },
] as const;

/** The settings' pages; on a phone the line scrolls. */
export function SettingsNav() {
  return (
    <nav aria-label={settingsNav.label} className="border-line border-b">
      <ul className="mx-auto flex w-full max-w-5xl gap-1 overflow-x-auto px-4 pt-2 md:px-8 md:pt-4">
        {TABS.map(({ to, label }) => (
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

/** What only owners and admins see; others are told whom to ask. */
export function ForAdmins({ children }: { children: ReactNode }) {
  const { may } = useSession();
  if (may("admin")) return <>{children}</>;
  return (
    <EmptyState icon={Lock} title={settingsNav.onlyAdminsTitle}>
      {settingsNav.onlyAdminsText}
    </EmptyState>
  );
}
