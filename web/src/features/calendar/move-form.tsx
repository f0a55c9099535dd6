import { type FormEvent, useState } from "react";
import { clock, momentName, offsetName } from "@/lib/dates";
import { type LocalTime, momentOf, readWall, wallField } from "@/lib/zoned";
import { calendar, card, clocks, moving } from "@/strings/calendar";
import { ui } from "@/strings/ui";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import type { Item } from "./items";

interface Props {
  item: Item;
  zone: string;
  /** Whether it is queued already: then it is moved rather than scheduled. */
  isQueued: boolean;
  onChoose: (at: number) => void;
  onCancel: () => void;
}

/**
 * A date and a time to type. Times that the clocks skip or repeat are explained; for a repeated time one of the two is
 * chosen.
 */
export function MoveForm({ item, zone, isQueued, onChoose, onCancel }: Props) {
  const [value, setValue] = useState(() => wallField(item));
  const [isSecond, setSecond] = useState(() => momentOf(item, zone).second === item.at);
  const [problem, setProblem] = useState<string>();
  const wall = readWall(value);
  const local = wall && momentOf(wall, zone);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const at = local && ((isSecond ? local.second : null) ?? local.at);
    if (at === null) setProblem(card.timeMissing);
    else if (at < Date.now()) setProblem(moving.past);
    else onChoose(at);
  };
  return (
    <form onSubmit={submit} noValidate className="grid gap-3 border-line border-t pt-3">
      <Field
        label={card.time}
        type="datetime-local"
        value={value}
        autoFocus
        onChange={(event) => {
          setValue(event.target.value);
          setProblem(undefined);
        }}
        hint={isQueued ? calendar.zone(zone) : `${card.scheduleHint} ${calendar.zone(zone)}.`}
        problem={problem}
      />
      {wall && local?.kind === "gap" && (
        <p role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-warn">
          {clocks.gap(clock(wall.minutes), momentName(local.at, zone))}
        </p>
      )}
      {wall && local?.kind === "twice" && (
        <Which time={clock(wall.minutes)} local={local} zone={zone} isSecond={isSecond} onChoose={setSecond} />
      )}
      <div className="flex justify-end gap-2">
        <Button size="small" onClick={onCancel}>
          {ui.cancel}
        </Button>
        <Button size="small" kind="primary" type="submit">
          {isQueued ? card.moveAction : card.scheduleAction}
        </Button>
      </div>
    </form>
  );
}

interface WhichProps {
  time: string;
  local: LocalTime;
  zone: string;
  isSecond: boolean;
  onChoose: (isSecond: boolean) => void;
}

/** The choice between the two moments of a repeated time. */
function Which({ time, local: { at, second }, zone, isSecond, onChoose }: WhichProps) {
  const choices = [
    { label: clocks.first(offsetName(at, zone)), value: false },
    { label: clocks.second(offsetName(second ?? at, zone)), value: true },
  ];
  return (
    <fieldset className="grid gap-1.5 rounded-lg bg-warn-soft px-3 py-2 text-warn">
      <legend className="float-left mb-1">{clocks.twice(time)}</legend>
      {choices.map(({ label, value }) => (
        <label key={label} className="flex items-center gap-2 text-ink">
          <input
            type="radio"
            name="which"
            checked={isSecond === value}
            onChange={() => onChoose(value)}
            className="accent-accent"
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
