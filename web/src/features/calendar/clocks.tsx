/** Notes about days on which the clocks change. */
import { Clock4 } from "lucide-react";
import type { Day } from "@/lib/calendar";
import { clock } from "@/lib/dates";
import { type ClockChange, changeOn } from "@/lib/zoned";
import { clocks } from "@/strings/calendar";

const kept = new Map<string, ClockChange | null>();

/** The clock change of a day, cached. */
export function clockChange(day: Day, zone: string): ClockChange | null {
  const key = `${zone} ${day}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const change = changeOn(day, zone);
  kept.set(key, change);
  return change;
}

/** The change in one sentence. */
export function changeText({ from, to }: ClockChange): string {
  return to > from ? clocks.forward(clock(from), clock(to)) : clocks.back(clock(from), clock(to));
}

/** A mark beside a day's number, with the sentence as its tooltip. */
export function ChangeMark({ day, zone }: { day: Day; zone: string }) {
  const change = clockChange(day, zone);
  if (!change) return null;
  const text = changeText(change);
  return (
    <span title={text} className="inline-flex text-warn">
      <Clock4 aria-hidden className="size-3.5" />
      <span className="sr-only">{text}</span>
    </span>
  );
}

/** The sentence, where space allows. */
export function ChangeNote({ day, zone }: { day: Day; zone: string }) {
  const change = clockChange(day, zone);
  if (!change) return null;
  return (
    <p className="flex items-center gap-1.5 text-warn text-xs">
      <Clock4 aria-hidden className="size-3.5 shrink-0" />
      {changeText(change)}
    </p>
  );
}

/** The hours that a day skips or repeats, marked on its column. */
export function ChangeBand({ day, zone }: { day: Day; zone: string }) {
  const change = clockChange(day, zone);
  if (!change) return null;
  const [top, bottom] = [Math.min(change.from, change.to), Math.max(change.from, change.to)];
  const isGap = change.to > change.from;
  return (
    <div
      title={changeText(change)}
      style={{ top: `${top / 14.4}%`, height: `${(bottom - top) / 14.4}%` }}
      className={`pointer-events-none absolute inset-x-0 overflow-hidden px-1.5 py-0.5 text-soft text-xs ${isGap ? "bg-[repeating-linear-gradient(135deg,var(--line)_0_1px,transparent_1px_7px)]" : "bg-warn-soft"}`}
    >
      {isGap ? clocks.forwardShort(clock(top), clock(bottom)) : clocks.backShort(clock(top), clock(bottom))}
    </div>
  );
}
