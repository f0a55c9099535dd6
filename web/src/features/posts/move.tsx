import { type FormEvent, useState } from "react";
import type { Schemas } from "@/api/client";
import { usePlatforms } from "@/api/queries/platforms";
import { postWords } from "@/strings/posts";
import { ui } from "@/strings/ui";
import { Button } from "@/ui/button";
import { Dialog, DialogActions } from "@/ui/dialog";
import { Field, Select } from "@/ui/field";
import { whyLeftOut } from "./moves";
import type { Stayed } from "./stayed";
import { StayedList } from "./stayed-list";

interface Props {
  open: boolean;
  posts: readonly Schemas["Post"][];
  busy: boolean;
  onClose: () => void;
  onMove: (days: number, hours: number) => void;
}

/** The dialog for moving posts by a time, with those that stay. */
export function MoveDialog({ open, posts, busy, onClose, onMove }: Props) {
  const platforms = usePlatforms().data?.platforms;
  const left = posts.flatMap((post): Stayed[] => {
    const why = whyLeftOut(post, platforms);
    return why === null ? [] : [{ post, why }];
  });
  const count = posts.length - left.length;
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
      {left.length > 0 && <StayedList title={postWords.leftOut(left.length)} stayed={left} />}
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
