import { Link, useNavigate } from "@tanstack/react-router";
import { Copy, Ellipsis, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { Schemas } from "@/api/client";
import { useAttempts, useDeletePost, useMarkPublished, usePublishPost, useSchedulePost } from "@/api/queries/posts";
import { absolute, fromField, toField, zone } from "@/lib/time";
import { postDetail, postWords } from "@/strings/posts";
import { ui } from "@/strings/ui";
import { Button, buttonClass, IconButton } from "@/ui/button";
import { Confirm, Dialog, DialogActions } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Menu, MenuItem } from "@/ui/menu";
import { toast } from "@/ui/toasts";
import { FormProblem, problemOf, tellFailure } from "../problem";
import { UnscheduleItem } from "./unschedule";

type Post = Schemas["Post"];
type Asks = "schedule" | "mark" | "publish" | "delete" | null;

/** The actions of a post, by its state. */
export function PostActions({ post }: { post: Post }) {
  const [asks, setAsks] = useState<Asks>(null);
  const close = () => setAsks(null);
  const navigate = useNavigate();
  const publish = usePublishPost();
  // The same until there is a response: a post that fails again at once is published again by the next click.
  const [once, setOnce] = useState(() => crypto.randomUUID());
  const isWaiting = post.state === "ACTION_REQUIRED";
  // An overdue post was not submitted, so it cannot be published already.
  const lastAttempt = useAttempts(post.id).data?.attempts.at(-1);
  const isOverdue = isWaiting && lastAttempt?.code === "overdue";
  const isQueued = post.state === "QUEUE";
  // A queued post without a time is being published.
  const canPublish = post.state !== "PUBLISHED" && !(isQueued && post.scheduledFor === null);
  const isFirst = post.state === "DRAFT" || isQueued || isOverdue;
  const queued = () => {
    setOnce(crypto.randomUUID());
    toast(postDetail.queued);
  };
  const publishNow = () =>
    publish.mutate({ post, once }, { onSuccess: queued, onError: tellFailure, onSettled: close });
  return (
    <>
      {(post.state === "DRAFT" || post.state === "QUEUE") && (
        <Link to="/compose" search={{ post: post.id }} className={buttonClass()}>
          {postDetail.edit}
        </Link>
      )}
      {post.state === "ERROR" && (
        <Link to="/compose" search={{ copy: post.id }} className={buttonClass()}>
          {postDetail.editCopy}
        </Link>
      )}
      {post.state !== "PUBLISHED" && (
        <Button onClick={() => setAsks("schedule")}>
          {post.scheduledFor ? postDetail.reschedule : postDetail.schedule}
        </Button>
      )}
      {isWaiting && <Button onClick={() => setAsks("mark")}>{postDetail.mark}</Button>}
      {/* One item of the row: where it wraps, the menu is not left alone below the others. */}
      <div className="flex gap-2">
        {canPublish && (
          <Button
            kind={isQueued ? "secondary" : "primary"}
            busy={publish.isPending}
            onClick={() => (isWaiting && !isOverdue ? setAsks("publish") : publishNow())}
          >
            {isFirst ? postDetail.publish : postDetail.publishAgain}
          </Button>
        )}
        <Menu
          trigger={
            <IconButton label={ui.more} className="size-9">
              <Ellipsis aria-hidden className="size-4" />
            </IconButton>
          }
        >
          <MenuItem
            icon={<Copy aria-hidden />}
            onSelect={() => void navigate({ to: "/compose", search: { copy: post.id } })}
          >
            {postDetail.useAgain}
          </MenuItem>
          {isQueued && <UnscheduleItem post={post} />}
          <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={() => setAsks("delete")}>
            {postWords.delete}
          </MenuItem>
        </Menu>
      </div>
      <ScheduleDialog post={post} open={asks === "schedule"} onClose={close} />
      <MarkDialog post={post} open={asks === "mark"} onClose={close} />
      <Confirm
        open={asks === "publish"}
        onClose={close}
        title={postDetail.publishTitle}
        action={postDetail.publishAgain}
        busy={publish.isPending}
        onConfirm={publishNow}
      >
        <p>{postDetail.publishText}</p>
      </Confirm>
      <DeleteQuestion post={post} open={asks === "delete"} onClose={close} />
    </>
  );
}

interface Props {
  post: Post;
  open: boolean;
  onClose: () => void;
}

function ScheduleDialog({ post, open, onClose }: Props) {
  const schedule = useSchedulePost();
  const [missing, setMissing] = useState(false);
  const before = post.state === "QUEUE" ? post.scheduledFor : null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const scheduledFor = fromField(String(new FormData(event.currentTarget).get("time")));
    setMissing(scheduledFor === null);
    if (scheduledFor === null) return;
    const undo = before ? () => schedule.mutate({ post, scheduledFor: before }, { onError: tellFailure }) : undefined;
    schedule.mutate(
      { post, scheduledFor },
      {
        onSuccess: () => {
          onClose();
          toast(postDetail.scheduledFor(absolute(scheduledFor)), undo);
        },
      },
    );
  };
  const problem = missing ? postDetail.timeMissing : problemOf(schedule.error, "scheduledFor");
  const shown = post.scheduledFor ? new Date(post.scheduledFor) : new Date(Date.now() + 3_600_000);
  return (
    <Dialog open={open} onClose={onClose} title={postDetail.scheduleTitle}>
      <form onSubmit={submit} className="grid gap-4" noValidate>
        <FormProblem error={schedule.error} fields={["scheduledFor"]} />
        <Field
          label={postDetail.time(zone())}
          name="time"
          type="datetime-local"
          defaultValue={toField(shown)}
          problem={problem}
        />
        <DialogActions>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button kind="primary" type="submit" busy={schedule.isPending}>
            {postDetail.schedule}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function MarkDialog({ post, open, onClose }: Props) {
  const mark = useMarkPublished();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const url = String(new FormData(event.currentTarget).get("url")).trim();
    mark.mutate(
      { id: post.id, releaseUrl: url === "" ? null : url },
      {
        onSuccess: () => {
          onClose();
          toast(postDetail.marked);
        },
      },
    );
  };
  return (
    <Dialog open={open} onClose={onClose} title={postDetail.markTitle}>
      <p className="text-soft">{postDetail.markText}</p>
      <form onSubmit={submit} className="grid gap-4" noValidate>
        <FormProblem error={mark.error} fields={["releaseUrl"]} />
        <Field
          label={postDetail.markUrl}
          name="url"
          type="url"
          hint={postDetail.markHint}
          problem={problemOf(mark.error, "releaseUrl")}
        />
        <DialogActions>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button kind="primary" type="submit" busy={mark.isPending}>
            {postDetail.mark}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function DeleteQuestion({ post, open, onClose }: Props) {
  const remove = useDeletePost();
  const navigate = useNavigate();
  const run = () =>
    remove.mutate(post.id, {
      onSuccess: () => {
        toast(postWords.deleted(1));
        void navigate({ to: "/posts" });
      },
      onError: (error) => {
        onClose();
        tellFailure(error);
      },
    });
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={postWords.deleteTitle(1)}
      action={postWords.delete}
      busy={remove.isPending}
      onConfirm={run}
    >
      <p className="break-words text-ink">{post.content || postWords.noCaption}</p>
      <p>{postWords.deleteText}</p>
      {post.state === "PUBLISHED" && <p>{postWords.deletePublished}</p>}
    </Confirm>
  );
}
