import { useNavigate } from "@tanstack/react-router";
import { KeyRound, Layers, LogOut, type LucideIcon, Plus, Search, SquarePlay } from "lucide-react";
import { type KeyboardEvent, useDeferredValue, useId, useState } from "react";
import { usePosts } from "@/api/queries/posts";
import { shell } from "@/strings/shell";
import { Dialog } from "@/ui/dialog";
import { useLeave, useSession, useSwitchWorkspace } from "../session";
import { PAGES } from "./pages";

interface Command {
  id: string;
  group: string;
  label: string;
  icon: LucideIcon;
  run: () => void;
}

/** The fewest letters of a post search, and the most results. */
const LEAST_LETTERS = 2;
const MOST_POSTS = 6;

/** Search and commands: type, select with the arrows, Enter. */
export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title={shell.palette} bare wide>
      <Commands onDone={onClose} />
    </Dialog>
  );
}

function Commands({ onDone }: { onDone: () => void }) {
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState(0);
  const list = useId();
  const commands = useCommands(useDeferredValue(query.trim()), query.trim());
  const active = commands[Math.min(chosen, commands.length - 1)];
  const run = (command: Command | undefined) => {
    onDone();
    command?.run();
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const count = Math.max(1, commands.length);
      setChosen((Math.min(chosen, count - 1) + step + count) % count);
    } else if (event.key === "Enter" && active) {
      event.preventDefault();
      run(active);
    }
  };
  return (
    <>
      <div className="flex items-center gap-3 border-line border-b px-4">
        <Search aria-hidden className="size-4 text-soft" />
        <input
          role="combobox"
          aria-expanded
          aria-controls={list}
          aria-activedescendant={active && `${list}-${active.id}`}
          aria-label={shell.palette}
          placeholder={shell.search}
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: the search is opened to type.
          autoFocus
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setChosen(0);
          }}
          onKeyDown={press}
          className="h-12 w-full bg-transparent text-base outline-none placeholder:text-soft"
        />
      </div>
      <div id={list} role="listbox" aria-label={shell.palette} className="max-h-80 overflow-y-auto p-2">
        {commands.map((command, index) => (
          <Option
            key={command.id}
            id={`${list}-${command.id}`}
            command={command}
            heads={commands[index - 1]?.group !== command.group}
            isActive={command === active}
            onPoint={() => setChosen(index)}
            onRun={() => run(command)}
          />
        ))}
      </div>
      {commands.length === 0 && (
        <p role="status" className="px-4 pb-6 text-center text-soft">
          {shell.noResults}
        </p>
      )}
    </>
  );
}

interface OptionProps {
  id: string;
  command: Command;
  heads: boolean;
  isActive: boolean;
  onPoint: () => void;
  onRun: () => void;
}

function Option({ id, command, heads, isActive, onPoint, onRun }: OptionProps) {
  const Icon = command.icon;
  return (
    <>
      {heads && (
        <p aria-hidden className="px-2 pt-2 pb-1 text-soft text-xs">
          {command.group}
        </p>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys. */}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={isActive}
        ref={(element) => {
          if (isActive) element?.scrollIntoView({ block: "nearest" });
        }}
        onPointerMove={onPoint}
        onClick={onRun}
        className="flex min-h-9 cursor-pointer items-center gap-3 rounded-lg px-2 py-1.5 aria-selected:bg-hover"
      >
        <Icon aria-hidden className="size-4 shrink-0 text-soft" />
        <span className="min-w-0 truncate">{command.label}</span>
      </div>
    </>
  );
}

function useCommands(search: string, query: string): Command[] {
  const navigate = useNavigate();
  const { me, workspace, may } = useSession();
  const switchTo = useSwitchWorkspace();
  const leave = useLeave();
  const found = usePosts({ q: search }, MOST_POSTS, search.length >= LEAST_LETTERS);
  const { pages, actions, posts } = shell.groups;
  const commands: Command[] = [
    ...PAGES.map(({ to, label, icon }) => ({
      id: to.replaceAll("/", "-"),
      group: pages,
      label,
      icon,
      run: () => void navigate({ to }),
    })),
    ...(may("admin")
      ? [
          {
            id: "connect",
            group: actions,
            label: shell.connect,
            icon: Plus,
            run: () => void navigate({ to: "/accounts" }),
          },
          {
            id: "key",
            group: actions,
            label: shell.newKey,
            icon: KeyRound,
            run: () => void navigate({ to: "/settings/keys" }),
          },
        ]
      : []),
    ...(me?.organizations ?? [])
      .filter(({ id }) => id !== workspace?.id)
      .map(({ id, name }) => ({ id, group: shell.workspaces, label: name, icon: Layers, run: () => switchTo(id) })),
    { id: "sign-out", group: actions, label: shell.signOut, icon: LogOut, run: () => leave(false) },
  ];
  const matching = commands.filter(({ label }) => label.toLowerCase().includes(query.toLowerCase()));
  const hits = query.length >= LEAST_LETTERS ? (found.data?.posts ?? []) : [];
  const postCommands = hits.map(({ id, content }) => ({
    id,
    group: posts,
    label: content || id,
    icon: SquarePlay,
    run: () => void navigate({ to: "/posts/$id", params: { id } }),
  }));
  return [...matching.toSorted((a, b) => Number(a.group !== pages) - Number(b.group !== pages)), ...postCommands];
}
