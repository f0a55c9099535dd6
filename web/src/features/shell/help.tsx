import { shell } from "@/strings/shell";
import { Dialog } from "@/ui/dialog";
import { Kbd } from "@/ui/parts";
import { PAGES } from "./pages";
import { COMMAND } from "./sidebar";

/** The shortcuts. */
export function HelpDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const rows: [string, string][] = [
    [`${COMMAND} K`, shell.keys.palette],
    ["/", shell.keys.search],
    ...PAGES.map(({ shortcut, help }): [string, string] => [shortcut, help]),
    ["t", shell.keys.calendarToday],
    ["m w d l", shell.keys.calendarViews],
    ["?", shell.keys.help],
    ["Esc", shell.keys.close],
  ];
  return (
    <Dialog open={open} onClose={onClose} title={shell.shortcuts}>
      <dl className="grid gap-2">
        {rows.map(([keys, meaning]) => (
          <div key={keys} className="flex items-center justify-between gap-4">
            <dt className="text-soft">{meaning}</dt>
            <dd className="flex gap-1">
              {keys.split(" ").map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
