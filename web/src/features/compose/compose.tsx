import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PencilLine, PencilOff } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { currentWorkspace } from "@/api/client";
import { currentPost } from "@/api/queries/compose";
import { usePlatforms } from "@/api/queries/platforms";
import { zone } from "@/lib/time";
import { composeWords, keptWords } from "@/strings/compose";
import { Button, buttonClass } from "@/ui/button";
import { EmptyState, Page } from "@/ui/page";
import { Loaded } from "../problem";
import { back } from "./back";
import { blank, type Composition } from "./composition";
import { Editor } from "./editor";
import { findKept, tidy } from "./keep";
import { copied, opened, scheduleAt } from "./opened";
import type { ComposeSearch } from "./search";
import { type Sole, useSole } from "./sole";

/** The composer of a new post, a draft, or a queued post. Only one tab edits a post at a time. */
export function Compose({ search }: { search: ComposeSearch }) {
  const key = search.draft ?? "";
  const { state, take } = useSole(`playout.compose.${currentWorkspace()}.${key}`);
  const latest = useRef<Sole>(state);
  latest.current = state;
  useEffect(() => tidy(Date.now()), []);
  useEarlyPost(search.post ?? search.copy);
  if (state === "asking") return null;
  if (state !== "ours") return <Elsewhere isLost={state === "lost"} onTake={take} />;
  return <Begin search={search} isOurs={() => latest.current === "ours"} />;
}

/** Reads the post together with the frame's data, before it is known which tab edits it. */
function useEarlyPost(id: string | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (id !== undefined) void queries.prefetchQuery(currentPost(id));
  }, [id, queries]);
}

function Elsewhere({ isLost, onTake }: { isLost: boolean; onTake: () => void }) {
  return (
    <Page back={back} title={composeWords.titleNew}>
      <EmptyState
        icon={PencilLine}
        title={isLost ? keptWords.lostTitle : keptWords.elsewhereTitle}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button kind="primary" onClick={onTake}>
              {keptWords.takeOver}
            </Button>
            <Link to="/compose" className={buttonClass()}>
              {keptWords.newOne}
            </Link>
          </div>
        }
      >
        {isLost ? keptWords.lostText : keptWords.elsewhereText}
      </EmptyState>
    </Page>
  );
}

interface Props {
  search: ComposeSearch;
  isOurs: () => boolean;
}

/** Continues a composition stored in this browser; else begins one from the address. */
function Begin({ search, isOurs }: Props) {
  const key = search.draft ?? "";
  const [kept] = useState(() => findKept(key));
  const id = search.post ?? search.copy;
  if (kept) return <Editor start={kept} isOurs={isOurs} />;
  if (id) return <FromPost id={id} search={search} isOurs={isOurs} />;
  return <New search={search} isOurs={isOurs} />;
}

function New({ search, isOurs }: Props) {
  const platforms = usePlatforms();
  return (
    <Around isThere={platforms.data !== undefined}>
      <Loaded query={platforms}>
        {({ platforms }) => {
          const ready = platforms.filter(({ disabled, refreshNeeded }) => !disabled && !refreshNeeded);
          const only = ready.length === 1 && ready[0] ? [ready[0].id] : [];
          return <Editor start={begin(search, only)} isOurs={isOurs} />;
        }}
      </Loaded>
    </Around>
  );
}

const begin = ({ draft = "", media = [], at }: ComposeSearch, accounts: string[]): Composition => ({
  ...blank(draft),
  accounts,
  media,
  ...(at ? { when: scheduleAt(at, zone()) } : {}),
});

function FromPost({ id, search, isOurs }: Props & { id: string }) {
  const key = search.draft ?? "";
  const isCopy = search.post === undefined;
  const queries = useQueryClient();
  const group = useQuery({
    queryKey: [currentWorkspace(), "compose", key, id],
    queryFn: () => queries.fetchQuery(currentPost(id)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Around isThere={group.data !== undefined}>
      <Loaded query={group}>
        {({ root }) => {
          if (isCopy) return <Editor start={copied(key, root)} isOurs={isOurs} />;
          const isOpen = root.state === "DRAFT" || root.state === "QUEUE";
          return isOpen ? <Editor start={opened(key, root, zone())} isOurs={isOurs} /> : <NotEditable id={id} />;
        }}
      </Loaded>
    </Around>
  );
}

/** The frame of the page until the editor is loaded, which has its own. */
function Around({ isThere, children }: { isThere: boolean; children: React.ReactNode }) {
  if (isThere) return children;
  return (
    <Page back={back} title={composeWords.titleNew}>
      {children}
    </Page>
  );
}

function NotEditable({ id }: { id: string }) {
  return (
    <Page back={back} title={composeWords.titleDraft}>
      <EmptyState
        icon={PencilOff}
        title={keptWords.notEditable}
        action={
          <Link to="/compose" search={{ copy: id }} className={buttonClass()}>
            {keptWords.useAgain}
          </Link>
        }
      >
        {keptWords.notEditableText}
      </EmptyState>
    </Page>
  );
}
