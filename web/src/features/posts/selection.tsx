import { CalendarClock, Trash2, X } from "lucide-react";
import { useState } from "react";
import { currentWorkspace, type Schemas } from "@/api/client";
import { usePlatforms } from "@/api/queries/platforms";
import { useDeletePosts, useReschedulePosts } from "@/api/queries/posts";
import { moved } from "@/lib/time";
import { postWords } from "@/strings/posts";
import { ui } from "@/strings/ui";
import { Button, IconButton } from "@/ui/button";
import { Confirm, Dialog, DialogActions } from "@/ui/dialog";
import { toast } from "@/ui/toasts";
import { tellFailure } from "../problem";
import { useTakeBack } from "./last-move";
import { MoveDialog } from "./move";
import { type Move, movable, movedOf, remember } from "./moves";
import { type Stayed, stayedOf } from "./stayed";
import { StayedList } from "./stayed-list";

type Post = Schemas["Post"];

/** The outcome of a batch that left some posts unchanged. */
interface Outcome {
  title: string;
  stayed: readonly Stayed[];
  /** Undoes the batch. */
  undo?: (() => void) | undefined;
}

/** Moves the queued posts of a selection by the same time; returns what to show if not all of them moved. */
function useMove() {
  const reschedule = useReschedulePosts();
  const takeBack = useTakeBack();
  const platforms = usePlatforms().data?.platforms;
  return async (posts: readonly Post[], { days, hours }: { days: number; hours: number }): Promise<Outcome | null> => {
    const before = movable(posts, platforms);
    const times = before.map(({ id, scheduledFor }) => ({ id, scheduledFor: moved(scheduledFor, days, hours) }));
    const results = await reschedule.mutateAsync(times);
    const made: Move = { workspace: currentWorkspace(), posts: movedOf(before, results) };
    const done = made.posts.length;
    if (done > 0) remember(made);
    const undo = done > 0 ? () => void takeBack(made) : undefined;
    const stayed = stayedOf(before, results);
    if (stayed.length > 0) return { title: postWords.movedSome(done, before.length), stayed, undo };
    toast(postWords.moved(done), undo);
    return null;
  };
}

/** Deletes posts; returns what to show if not all of them were deleted. */
function useRemoval() {
  const remove = useDeletePosts();
  return async (posts: readonly Post[]): Promise<Outcome | null> => {
    const results = await remove.mutateAsync(posts.map(({ id }) => id));
    // A post that someone else deleted counts as deleted.
    const isGone = (result: (typeof results)[number]) =>
      result.status === "deleted" || result.error.code === "post_not_found";
    const gone = new Set(results.filter(isGone).map(({ id }) => id));
    const left = posts.filter(({ id }) => !gone.has(id));
    if (left.length > 0)
      return { title: postWords.deletedSome(gone.size, posts.length), stayed: stayedOf(left, results) };
    toast(postWords.deleted(gone.size));
    return null;
  };
}

/** The actions on the selected posts. */
export function SelectionBar({ posts, onDone }: { posts: Post[]; onDone: () => void }) {
  const [asks, setAsks] = useState<"delete" | "move" | null>(null);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const move = useMove();
  const remove = useRemoval();
  const run = async (work: Promise<Outcome | null>) => {
    setBusy(true);
    try {
      setOutcome(await work);
      onDone();
    } catch (error) {
      tellFailure(error);
    }
    setBusy(false);
    setAsks(null);
  };
  // The selection has ended when the outcome is shown.
  if (outcome) return <OutcomeDialog outcome={outcome} onClose={() => setOutcome(null)} />;
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

/** The number of changed posts, and each unchanged one with the reason. */
function OutcomeDialog({ outcome: { title, stayed, undo }, onClose }: { outcome: Outcome; onClose: () => void }) {
  const back = () => {
    onClose();
    undo?.();
  };
  return (
    <Dialog open onClose={onClose} title={title}>
      <StayedList title={postWords.leftOut(stayed.length)} stayed={stayed} />
      <DialogActions>
        {undo && <Button onClick={back}>{postWords.takeBack}</Button>}
        <Button kind="primary" onClick={onClose}>
          {ui.close}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
