import { Undo2, X } from "lucide-react";
import { useState } from "react";
import { useReschedulePosts } from "@/api/queries/posts";
import { postWords } from "@/strings/posts";
import { ui } from "@/strings/ui";
import { Button, IconButton } from "@/ui/button";
import { toast, toastFailure } from "@/ui/toasts";
import { sentence } from "../problem";
import { type Move, remember, timesBefore, useLastMove } from "./moves";
import { whyRefused } from "./stayed";

/** Restores the times before a move, and reports the result. */
export function useTakeBack(): (move: Move) => Promise<void> {
  const reschedule = useReschedulePosts();
  return async (move) => {
    try {
      const times = await timesBefore(move);
      const results = times.length === 0 ? [] : await reschedule.mutateAsync(times);
      const reasons = new Set(
        results.flatMap((result) => (result.status === "failed" ? whyRefused(result.error, result.id) : [])),
      );
      const back = results.filter(({ status }) => status === "rescheduled").length;
      remember(null);
      if (back === move.posts.length) toast(postWords.takenBack(back));
      else toastFailure(postWords.partlyBack(back, move.posts.length, [...reasons].join(" ")));
    } catch (error) {
      // The user can try again.
      toastFailure(sentence(error));
    }
  };
}

/** The button that undoes the last move, for as long as the tab is open. */
export function LastMove() {
  const move = useLastMove();
  const takeBack = useTakeBack();
  const [busy, setBusy] = useState(false);
  if (!move) return null;
  const run = async () => {
    setBusy(true);
    await takeBack(move);
    setBusy(false);
  };
  return (
    <section
      aria-label={postWords.lastMove}
      className="mb-4 flex flex-wrap items-center gap-2 rounded-xl bg-sunken py-1.5 pr-1.5 pl-4"
    >
      <p className="min-w-0 flex-1 text-soft">{postWords.lastMoved(move.posts.length)}</p>
      <Button size="small" busy={busy} onClick={() => void run()}>
        <Undo2 aria-hidden className="size-4" />
        {postWords.takeBack}
      </Button>
      <IconButton label={ui.dismiss} onClick={() => remember(null)}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </section>
  );
}
