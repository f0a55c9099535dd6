import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { keptWords } from "@/strings/compose";
import { Button, buttonClass } from "@/ui/button";
import { Notice } from "@/ui/parts";
import { nameOf } from "../accounts/names";
import type { Trouble } from "./trouble";
import { useComposing } from "./use-composition";

/** Conflicts with the changes of others: the user decides, and nothing is overwritten silently. */
export function Troubles() {
  const { troubles } = useComposing();
  return [...troubles].map(([account, trouble]) => <One key={account} account={account} trouble={trouble} />);
}

function One({ account, trouble }: { account: string; trouble: Trouble }) {
  const { platforms, doc } = useComposing();
  const platform = platforms.find(({ id }) => id === account);
  const name = platform ? nameOf(platform) : account;
  if (trouble.kind === "changed") {
    return (
      <Notice tone="warn" role="alert">
        <p className="font-medium">{keptWords.changedTitle(name)}</p>
        <p className="mt-1">{keptWords.changedText}</p>
        <blockquote className="my-2 line-clamp-4 whitespace-pre-wrap break-words border-current border-l-2 pl-3">
          {trouble.theirs.content || keptWords.noText}
        </blockquote>
        <Choice account={account} canTake />
      </Notice>
    );
  }
  if (trouble.kind === "gone" || trouble.kind === "out") {
    const isGone = trouble.kind === "gone";
    const post = doc.posts[account];
    return (
      <Notice tone="warn" role="alert">
        <p className="font-medium">{isGone ? keptWords.goneTitle(name) : keptWords.outTitle(name)}</p>
        <p className="mt-1 mb-2">{isGone ? keptWords.goneText : keptWords.outText}</p>
        <div className="flex flex-wrap gap-2">
          <Choice account={account} />
          {!isGone && post && (
            <Link to="/posts/$id" params={{ id: post.id }} className={buttonClass("secondary", "small")}>
              {keptWords.look}
            </Link>
          )}
        </div>
      </Notice>
    );
  }
  return null;
}

function Choice({ account, canTake = false }: { account: string; canTake?: boolean }) {
  const { saver } = useComposing();
  const [busy, setBusy] = useState(false);
  const run = (choose: (account: string) => Promise<boolean>) => {
    setBusy(true);
    void choose(account).finally(() => setBusy(false));
  };
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" busy={busy} onClick={() => run(saver.keepMine)}>
        {canTake ? keptWords.mine : keptWords.again}
      </Button>
      {canTake && (
        <Button size="small" busy={busy} onClick={() => run(saver.takeTheirs)}>
          {keptWords.theirs}
        </Button>
      )}
    </div>
  );
}
