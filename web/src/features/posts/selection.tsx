import { CalendarClock, Trash2, X } from "lucide-react";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { type NewTime, useDeletePost, useSchedulePost } from "@/api/queries/posts";
import { moved } from "@/lib/time";
import { postWords } from "@/strings/posts";
import { Button, IconButton } from "@/ui/button";
import { Confirm } from "@/ui/dialog";
import { toast, toastFailure } from "@/ui/toasts";
import { sentence } from "../problem";
import { MoveDialog } from "./move";

/** Does the same with each, one after another; answers how many worked and why the last that did not. */
async function each<T>(all: readonly T[], run: (one: T) => Promise<unknown>) {
  let done = 0;
  let why = "";
  for (const one of all) {
    try {
      await run(one);
      done += 1;
    } catch (error) {
      why = sentence(error);
    }
  }
  return { done, why };
}

/** What can be done with the posts that are ticked. */
export function SelectionBar({ posts, onDone }: { posts: Schemas["Post"][]; onDone: () => void }) {
  const [asks, setAsks] = useState<"delete" | "move" | null>(null);
  const [busy, setBusy] = useState(false);
  const remove = useDeletePost();
  const schedule = useSchedulePost();
  const finish = ({ done, why }: { done: number; why: string }, all: number, text: string, undo?: () => void) => {
    setBusy(false);
    setAsks(null);
    onDone();
    if (done < all) toastFailure(postWords.someFailed(done, all, why));
    else toast(text, undo);
  };
  const removeAll = async () => {
    setBusy(true);
    const outcome = await each(posts, ({ id }) => remove.mutateAsync(id));
    finish(outcome, posts.length, postWords.deleted(outcome.done));
  };
  const moveAll = async (days: number, hours: number) => {
    const movable = posts.filter(
      (post): post is Schemas["Post"] & { scheduledFor: string } =>
        post.scheduledFor !== null && post.state !== "PUBLISHED",
    );
    const before: NewTime[] = movable.map(({ id, scheduledFor }) => ({ id, scheduledFor }));
    if (before.length === 0) {
      setAsks(null);
      toastFailure(postWords.nothingToMove);
      return;
    }
    setBusy(true);
    const after = before.map(({ id, scheduledFor }) => ({ id, scheduledFor: moved(scheduledFor, days, hours) }));
    const outcome = await each(after, (one) => schedule.mutateAsync(one));
    // A draft or a failed post is queued by its new time: only what was queued goes back to where it was.
    const isUndoable = movable.every(({ state }) => state === "QUEUE");
    const undo = () =>
      void each(before, (one) => schedule.mutateAsync(one)).then(({ why }) => why && toastFailure(why));
    finish(outcome, before.length, postWords.moved(outcome.done), isUndoable ? undo : undefined);
  };
  if (posts.length === 0) return null;
  return (
    <section
      aria-label={postWords.selected(posts.length)}
      className="rises fixed inset-x-4 bottom-20 z-30 mx-auto flex w-fit max-w-full items-center gap-1.5 rounded-xl border border-line bg-surface py-1.5 pr-1.5 pl-4 shadow-raised md:bottom-6 md:left-60"
    >
      <p aria-live="polite" className="mr-2 whitespace-nowrap font-medium tabular-nums">
        {postWords.selected(posts.length)}
      </p>
      <Button size="small" onClick={() => setAsks("move")}>
        <CalendarClock aria-hidden className="size-4 max-sm:hidden" />
        {postWords.move}
      </Button>
      <Button size="small" kind="danger" onClick={() => setAsks("delete")}>
        <Trash2 aria-hidden className="size-4 max-sm:hidden" />
        {postWords.delete}
      </Button>
      <IconButton label={postWords.unselect} onClick={onDone}>
        <X aria-hidden className="size-4" />
      </IconButton>
      <MoveDialog
        open={asks === "move"}
        count={posts.length}
        busy={busy}
        onClose={() => setAsks(null)}
        onMove={(days, hours) => void moveAll(days, hours)}
      />
      <Confirm
        open={asks === "delete"}
        onClose={() => setAsks(null)}
        title={postWords.deleteTitle(posts.length)}
        action={postWords.delete}
        busy={busy}
        onConfirm={() => void removeAll()}
      >
        <ul className="list-inside list-disc">
          {posts.slice(0, 5).map(({ id, content }) => (
            <li key={id} className="truncate text-ink">
              {content || postWords.noCaption}
            </li>
          ))}
          {posts.length > 5 && <li>…</li>}
        </ul>
        <p>{postWords.deleteText}</p>
        {posts.some(({ state }) => state === "PUBLISHED") && <p>{postWords.deletePublished}</p>}
      </Confirm>
    </section>
  );
}
