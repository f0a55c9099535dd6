/** Reschedules posts, reports the result, and can undo it. */
import { useMovePost } from "@/api/queries/calendar";
import { clock, momentName, offsetName } from "@/lib/dates";
import { type LocalTime, momentOf, type Wall } from "@/lib/zoned";
import { clocks, moving } from "@/strings/calendar";
import { toast, toastFailure } from "@/ui/toasts";
import { problemOf, sentence } from "../problem";
import type { Item } from "./items";
import type { Target } from "./surface";

/** How far in the past a time may be (`docs/contract.md#modes`). */
const LATE_MS = 5 * 60_000;

/** The local time of a target: in a month the post keeps its time of day. */
export const wallAt = (item: Item, target: Target): Wall => ({
  day: target.day,
  minutes: target.minutes ?? item.minutes,
});

/** The note about a time that the clocks skip or repeat; empty for any other. */
export function localTimeNote(local: LocalTime, { minutes }: Wall, zone: string): string {
  if (local.kind === "gap") return clocks.gapMoved(clock(minutes));
  if (local.kind === "twice") return clocks.twiceMoved(clock(minutes), offsetName(local.at, zone));
  return "";
}

/** `put` is for drags, `schedule` for a chosen time. Both return whether it succeeded, and report failures. */
export function useMover(zone: string) {
  const move = useMovePost();
  const schedule = async ({ post }: Item, at: number, note = "") => {
    const scheduledFor = new Date(at).toISOString();
    const before = post.state === "QUEUE" ? post.scheduledFor : null;
    const back = () => void send({ ...post, scheduledFor }, before ?? "");
    if (!(await send(post, scheduledFor))) return false;
    const text = [moving.moved(momentName(at, zone)), note].filter(Boolean).join(" ");
    toast(text, before === null ? undefined : back);
    return true;
  };
  const send = async (post: Item["post"], scheduledFor: string) => {
    try {
      await move.mutateAsync({ post, scheduledFor });
      return true;
    } catch (error) {
      toastFailure(moving.failed(problemOf(error, "scheduledFor") ?? sentence(error)));
      return false;
    }
  };
  const put = async (item: Item, target: Target) => {
    const wall = wallAt(item, target);
    if (wall.day === item.day && wall.minutes === item.minutes) return true;
    const local = momentOf(wall, zone);
    // The seconds are kept if only the day changes.
    const at = local.at + (target.minutes === null ? item.at % 60_000 : 0);
    if (at >= Date.now() - LATE_MS) return schedule(item, at, localTimeNote(local, wall, zone));
    toastFailure(moving.past);
    return false;
  };
  return { put, schedule };
}
