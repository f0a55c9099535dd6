import { Link, useNavigate, useRouterState } from "@tanstack/react-router";
import { Ellipsis, Search } from "lucide-react";
import { shell } from "@/strings/shell";
import { IconButton } from "@/ui/button";
import { Menu, MenuItem } from "@/ui/menu";
import { PersonMenu, WorkspaceMenu } from "./menus";
import { isUnder, PAGES } from "./pages";

/** The number of pages in a phone's bar; the others are behind its last button. */
const NAMED = 4;
const PLACE =
  "flex h-14 flex-col items-center justify-center gap-1 font-medium text-soft text-xs -outline-offset-4 aria-[current=page]:text-accent";

/** On a phone: the workspace at the top, the pages at the bottom, within reach of a thumb. */
export function Bars({ onSearch }: { onSearch: () => void }) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <>
      <header className="sticky top-0 z-20 flex h-14 items-center gap-1 border-line border-b bg-canvas px-2 md:hidden">
        <div className="min-w-0 flex-1">
          <WorkspaceMenu />
        </div>
        <IconButton label={shell.search} onClick={onSearch} className="size-10">
          <Search aria-hidden className="size-5" />
        </IconButton>
        <PersonMenu small />
      </header>
      <nav
        aria-label={shell.nav}
        className="fixed inset-x-0 bottom-0 z-20 grid auto-cols-fr grid-flow-col border-line border-t bg-canvas pb-[env(safe-area-inset-bottom)] md:hidden"
      >
        {PAGES.slice(0, NAMED).map(({ to, under, label, icon: Icon }) => (
          <Link key={to} to={to} aria-current={isUnder(path, under) ? "page" : undefined} className={PLACE}>
            <Icon aria-hidden className="size-5" strokeWidth={1.75} />
            {label}
          </Link>
        ))}
        <MorePages path={path} />
      </nav>
    </>
  );
}

function MorePages({ path }: { path: string }) {
  const navigate = useNavigate();
  const more = PAGES.slice(NAMED);
  const current = more.some(({ under }) => isUnder(path, under)) ? "page" : undefined;
  const trigger = (
    <button type="button" aria-current={current} className={PLACE}>
      <Ellipsis aria-hidden className="size-5" strokeWidth={1.75} />
      {shell.more}
    </button>
  );
  return (
    <Menu trigger={trigger}>
      {more.map(({ to, label, icon: Icon }) => (
        <MenuItem key={to} icon={<Icon aria-hidden />} onSelect={() => void navigate({ to })}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}
