import { type FormEvent, useState } from "react";
import type { Schemas } from "@/api/client";
import { postWords } from "@/strings/posts";
import { ui } from "@/strings/ui";
import { Button } from "@/ui/button";
import { Dialog, DialogActions } from "@/ui/dialog";
import { Field, Select } from "@/ui/field";
import { isMovable, whyLeftOut } from "./moves";

interface Props {
  open: boolean;
  posts: readonly Schemas["Post"][];
  busy: boolean;
  onClose: () => void;
  onMove: (days: number, hours: number) => void;
}

/** By how much the times of posts move, and which of them stay as they are. */
export function MoveDialog({ open, posts, busy, onClose, onMove }: Props) {
  const count = posts.filter(isMovable).length;
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const amount = Number(form.get("amount"));
    if (!Number.isInteger(amount) || amount < 1) {
      setProblem(postWords.badAmount);
      return;
    }
    setProblem(undefined);
    const signed = form.get("direction") === "earlier" ? -amount : amount;
    if (form.get("unit") === "days") onMove(signed, 0);
    else onMove(0, signed);
  };
  return (
    <Dialog open={open} onClose={onClose} title={postWords.moveTitle(count)}>
      <p className="text-soft">{count === 0 ? postWords.nothingToMove : postWords.moveText}</p>
      <LeftOut posts={posts.filter((post) => !isMovable(post))} />
      <form onSubmit={submit} className="grid gap-4" noValidate>
        <div className={count === 0 ? "hidden" : "grid grid-cols-3 items-start gap-3"}>
          <Field
            label={postWords.moveBy}
            name="amount"
            type="number"
            min={1}
            step={1}
            defaultValue={1}
            problem={problem}
          />
          <Select label={postWords.unit} name="unit" defaultValue="days">
            <option value="days">{postWords.units.days}</option>
            <option value="hours">{postWords.units.hours}</option>
          </Select>
          <Select label={postWords.direction} name="direction" defaultValue="later">
            <option value="later">{postWords.later}</option>
            <option value="earlier">{postWords.earlier}</option>
          </Select>
        </div>
        <DialogActions>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={count === 0}>
            {postWords.moveAction}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The posts that stay as they are, and why. */
function LeftOut({ posts }: { posts: readonly Schemas["Post"][] }) {
  if (posts.length === 0) return null;
  return (
    <section aria-label={postWords.leftOut(posts.length)} className="rounded-lg bg-sunken px-3 py-2">
      <p className="font-medium">{postWords.leftOut(posts.length)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard. */}
      <ul tabIndex={0} className="mt-1 grid max-h-40 gap-1 overflow-y-auto">
        {posts.map((post) => (
          <li key={post.id} className="min-w-0">
            <p className="truncate">{post.content || postWords.noCaption}</p>
            <p className="text-soft text-xs">{whyLeftOut(post)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
