import { CalendarClock, Trash2, X } from "lucide-react";
import { useState } from "react";
import { currentWorkspace, type Schemas } from "@/api/client";
import { useDeletePosts, useReschedulePosts } from "@/api/queries/posts";
import { moved } from "@/lib/time";
import { postWords } from "@/strings/posts";
import { Button, IconButton } from "@/ui/button";
import { Confirm } from "@/ui/dialog";
import { toast, toastFailure } from "@/ui/toasts";
import { tellFailure } from "../problem";
import { useTakeBack } from "./last-move";
import { MoveDialog } from "./move";
import { isMovable, type Move, movedOf, remember } from "./moves";

/** Moves the queued ones of some posts by the same time; tells what came of it, and how it is taken back. */
function useMove(): (posts: readonly Schemas["Post"][], by: { days: number; hours: number }) => Promise<void> {
  const reschedule = useReschedulePosts();
  const takeBack = useTakeBack();
  return async (posts, { days, hours }) => {
    const before = posts.filter(isMovable);
    const times = before.map(({ id, scheduledFor }) => ({ id, scheduledFor: moved(scheduledFor, days, hours) }));
    const results = await reschedule.mutateAsync(times);
    const made: Move = { workspace: currentWorkspace(), posts: movedOf(before, results) };
    const done = made.posts.length;
    if (done > 0) remember(made);
    const undo = done > 0 ? () => void takeBack(made) : undefined;
    const failed = results.find((result) => result.status === "failed");
    if (done === before.length) toast(postWords.moved(done), undo);
    else toastFailure(postWords.someFailed(done, before.length, failed?.error.message ?? ""), undo);
  };
}

/** Deletes posts; tells what came of it. */
function useRemoval(): (posts: readonly Schemas["Post"][]) => Promise<void> {
  const remove = useDeletePosts();
  return async (posts) => {
    const results = await remove.mutateAsync(posts.map(({ id }) => id));
    // Whoever else deleted it did what was wanted.
    const isGone = (result: (typeof results)[number]) =>
      result.status === "deleted" || result.error.code === "post_not_found";
    const done = results.filter(isGone).length;
    const failed = results.find((result) => !isGone(result));
    if (done === posts.length) toast(postWords.deleted(done));
    else {
      const why = failed?.status === "failed" ? failed.error.message : "";
      toastFailure(postWords.someFailed(done, posts.length, why));
    }
  };
}

/** What can be done with the posts that are ticked. */
export function SelectionBar({ posts, onDone }: { posts: Schemas["Post"][]; onDone: () => void }) {
  const [asks, setAsks] = useState<"delete" | "move" | null>(null);
  const [busy, setBusy] = useState(false);
  const move = useMove();
  const remove = useRemoval();
  const run = async (work: Promise<void>) => {
    setBusy(true);
    try {
      await work;
      onDone();
    } catch (error) {
      tellFailure(error);
    }
    setBusy(false);
    setAsks(null);
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
        posts={posts}
        busy={busy}
        onClose={() => setAsks(null)}
        onMove={(days, hours) => void run(move(posts, { days, hours }))}
      />
      <Confirm
        open={asks === "delete"}
        onClose={() => setAsks(null)}
        title={postWords.deleteTitle(posts.length)}
        action={postWords.delete}
        busy={busy}
        onConfirm={() => void run(remove(posts))}
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
