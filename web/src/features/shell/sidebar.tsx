import { Link, useRouterState } from "@tanstack/react-router";
import { BookOpen, Keyboard, Search } from "lucide-react";
import { shell } from "@/strings/shell";
import { IconButton } from "@/ui/button";
import { Kbd } from "@/ui/parts";
import { useSession } from "../session";
import { PersonMenu, WorkspaceMenu } from "./menus";
import { useNeeds } from "./needs";
import { isUnder, PAGES } from "./pages";

/** The sidebar of a wide window: workspace, pages, the signed-in user. */
export function Sidebar({ onSearch, onHelp }: { onSearch: () => void; onHelp: () => void }) {
  return (
    <aside className="sticky top-0 hidden h-dvh w-60 shrink-0 flex-col gap-1 border-line border-r p-3 md:flex">
      <WorkspaceMenu />
      <button
        type="button"
        onClick={onSearch}
        className="mt-2 mb-3 flex h-9 items-center gap-2.5 rounded-lg border border-line bg-surface px-2.5 text-soft transition-colors hover:bg-hover"
      >
        <Search aria-hidden className="size-4" />
        <span className="flex-1 text-left">{shell.searchShort}</span>
        <Kbd>{COMMAND} K</Kbd>
      </button>
      <PageLinks />
      <div className="mt-auto flex items-center gap-1">
        <div className="min-w-0 flex-1">
          <PersonMenu />
        </div>
        <a href="/docs" aria-label={shell.reference} title={shell.reference} className={ICON_LINK}>
          <BookOpen aria-hidden className="size-4" />
        </a>
        <IconButton label={shell.shortcuts} onClick={onHelp}>
          <Keyboard aria-hidden className="size-4" />
        </IconButton>
      </div>
    </aside>
  );
}

const ICON_LINK =
  "inline-flex size-8 shrink-0 items-center justify-center rounded-lg text-soft transition-colors hover:bg-hover hover:text-ink";

/** The name of the command key. */
export const COMMAND = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";

function PageLinks() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { workspace } = useSession();
  return (
    <nav aria-label={shell.nav} className="grid gap-0.5">
      {PAGES.map(({ to, under, label, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          aria-current={isUnder(path, under) ? "page" : undefined}
          className="flex h-9 items-center gap-2.5 rounded-lg px-2.5 font-medium text-soft transition-colors duration-100 hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
        >
          <Icon aria-hidden className="size-4" />
          <span className="flex-1">{label}</span>
          {to === "/" && workspace && <NeedsCount />}
        </Link>
      ))}
    </nav>
  );
}

/** The number of items that require action. */
export function NeedsCount() {
  const { count } = useNeeds();
  if (count === 0) return null;
  return (
    <span
      title={shell.needsYou(count)}
      className="inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-bad-soft px-1.5 font-semibold text-bad text-xs tabular-nums"
    >
      <span aria-hidden>{count > 99 ? "99+" : count}</span>
      <span className="sr-only">{shell.needsYou(count)}</span>
    </span>
  );
}
