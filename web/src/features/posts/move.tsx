import { type FormEvent, useState } from "react";
import { postWords } from "@/strings/posts";
import { ui } from "@/strings/ui";
import { Button } from "@/ui/button";
import { Dialog, DialogActions } from "@/ui/dialog";
import { Field, Select } from "@/ui/field";

interface Props {
  open: boolean;
  count: number;
  busy: boolean;
  onClose: () => void;
  onMove: (days: number, hours: number) => void;
}

/** By how much the times of posts move. */
export function MoveDialog({ open, count, busy, onClose, onMove }: Props) {
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
      <p className="text-soft">{postWords.moveText}</p>
      <form onSubmit={submit} className="grid gap-4" noValidate>
        <div className="grid grid-cols-3 items-start gap-3">
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
          <Button kind="primary" type="submit" busy={busy}>
            {postWords.moveAction}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
