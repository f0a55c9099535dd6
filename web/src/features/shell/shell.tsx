import { useQueryClient } from "@tanstack/react-query";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useLive } from "@/api/live";
import { shell } from "@/strings/shell";
import { useSession } from "../session";
import { isPersonalPage } from "../settings-nav";
import { UploadTray } from "../uploads/tray";
import { Bars } from "./bars";
import { ConfirmAddress } from "./confirm-address";
import { HelpDialog } from "./help";
import { NoWorkspace } from "./no-workspace";
import { Offline } from "./offline";
import { Palette } from "./palette";
import { useShortcuts } from "./shortcuts";
import { Sidebar } from "./sidebar";

type Open = "palette" | "help" | null;

/** The frame around the pages: navigation, commands, shortcuts, and notices for all pages. */
export function Shell() {
  const { workspace } = useSession();
  // The rendered page: the location is already that of the next one while it loads.
  const isPersonal = useRouterState({ select: ({ matches }) => isPersonalPage(matches.at(-1)?.pathname ?? "") });
  const [open, setOpen] = useState<Open>(null);
  useLive(workspace?.id ?? "", useQueryClient());
  useShortcuts({ palette: () => setOpen("palette"), help: () => setOpen("help") });
  useFocusOnNavigation();
  const openPalette = () => setOpen("palette");
  return (
    <div className="flex min-h-dvh flex-col md:flex-row">
      <a
        href="#content"
        className="sr-only z-50 rounded-lg bg-surface px-4 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {shell.skip}
      </a>
      <Sidebar onSearch={openPalette} onHelp={() => setOpen("help")} />
      <Bars onSearch={openPalette} />
      <main id="content" tabIndex={-1} className="min-w-0 flex-1 outline-none">
        <Offline />
        <ConfirmAddress />
        {workspace ? <Outlet key={workspace.id} /> : isPersonal ? <Outlet /> : <NoWorkspace />}
      </main>
      <UploadTray />
      <Palette open={open === "palette"} onClose={() => setOpen(null)} />
      <HelpDialog open={open === "help"} onClose={() => setOpen(null)} />
    </div>
  );
}

/** Moves the focus to the start of a new page; after the first load it stays where the browser puts it. */
function useFocusOnNavigation(): void {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [first] = useState(path);
  useEffect(() => {
    if (path !== first) document.getElementById("content")?.focus({ preventScroll: true });
  }, [path, first]);
}
