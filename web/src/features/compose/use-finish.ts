/** Publishing and scheduling: everything is saved first, then each account's post is submitted separately. */
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useRef, useState } from "react";
import { ApiError } from "@/api/client";
import { publishPost, schedulePost, usePostsChanged } from "@/api/queries/compose";
import { told } from "@/lib/wall";
import { finishWords } from "@/strings/compose";
import { toast, toastFailure } from "@/ui/toasts";
import { sentence } from "../problem";
import { isQueued, without } from "./composition";
import { forget } from "./keep";
import type { Verdict } from "./problems";
import { isAnswer } from "./trouble";
import type { Composing } from "./use-composition";

/** The results of an attempt that some accounts rejected. */
export interface Outcome {
  done: number;
  all: number;
}

export function useFinish(composing: Composing, onVerdicts: (verdicts: readonly Verdict[]) => void) {
  const { saver, zone } = composing;
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const keys = useRef(new Map<string, string>());
  const changed = usePostsChanged();
  const navigate = useNavigate();

  /** Submits one account's post; returns why it was rejected. */
  const sendOne = useCallback(
    async (account: string, at: number | null): Promise<Verdict | null> => {
      const post = saver.get().doc.posts[account];
      if (!post) return null;
      const key = keys.current.get(account) ?? crypto.randomUUID();
      keys.current.set(account, key);
      try {
        if (at !== null) {
          const moment = new Date(at).toISOString();
          if (post.state === "DRAFT" || moment !== post.scheduledFor) await schedulePost(post.id, moment);
        } else if (post.state === "QUEUE") await schedulePost(post.id, new Date().toISOString());
        else await publishPost(post.id, key);
        return null;
      } catch (error) {
        // A new key only after a response; otherwise the post could be published twice.
        if (isAnswer(error)) keys.current.delete(account);
        const { code, details } = error instanceof ApiError ? error : { code: "", details: undefined };
        return { account, error: { code, message: sentence(error), details } };
      }
    },
    [saver],
  );

  /** True once every account has accepted it. */
  const finish = async (): Promise<boolean> => {
    const { at } = composing;
    const accounts = composing.doc.accounts;
    const wasQueued = isQueued(composing.doc);
    setBusy(true);
    onVerdicts([]);
    setOutcome(null);
    if (!(await saver.save())) {
      setBusy(false);
      const isAway = [...saver.get().troubles.values()].some(({ kind }) => kind === "unreachable");
      if (isAway) toastFailure(finishWords.notSaved);
      return false;
    }
    const ids = accounts.map((account) => saver.get().doc.posts[account]?.id ?? "");
    const verdicts: Verdict[] = [];
    for (const account of accounts) {
      const verdict = await sendOne(account, at);
      if (verdict) verdicts.push(verdict);
      else saver.settle((doc) => without(doc, account));
    }
    changed();
    setBusy(false);
    if (verdicts.length > 0) {
      onVerdicts(verdicts);
      setOutcome({ done: accounts.length - verdicts.length, all: accounts.length });
      return false;
    }
    saver.stop();
    forget(composing.doc.key);
    const count = accounts.length;
    if (at !== null && wasQueued) toast(finishWords.changed);
    else toast(at === null ? finishWords.published(count) : finishWords.scheduled(count, told(at, zone)));
    const [only] = ids;
    if (count === 1 && only) await navigate({ to: "/posts/$id", params: { id: only } });
    else await navigate({ to: "/posts" });
    return true;
  };
  return { finish, busy, outcome };
}
