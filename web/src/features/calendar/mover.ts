/** Gives posts other times, tells what came of it, and takes it back on wish. */
import { useMovePost } from "@/api/queries/calendar";
import { clock, momentName, offsetName } from "@/lib/dates";
import { type Meeting, momentOf, type Wall } from "@/lib/zoned";
import { clocks, moving } from "@/strings/calendar";
import { toast, toastFailure } from "@/ui/toasts";
import { problemOf, sentence } from "../problem";
import type { Item } from "./items";
import type { Target } from "./surface";

/** How late the service takes a time (`docs/contract.md#modes`). */
const LATE_MS = 5 * 60_000;

/** What the clocks would show where a post is put: in a month it keeps its time of day. */
export const wallAt = (item: Item, target: Target): Wall => ({
  day: target.day,
  minutes: target.minutes ?? item.minutes,
});

/** What must be said of a time that the clocks skip or show twice; empty for any other. */
export function meetingNote(meeting: Meeting, { minutes }: Wall, zone: string): string {
  if (meeting.kind === "gap") return clocks.gapMoved(clock(minutes));
  if (meeting.kind === "twice") return clocks.twiceMoved(clock(minutes), offsetName(meeting.at, zone));
  return "";
}

/** `put` is for drags, `schedule` for a time that was chosen. Both answer whether it is done; what fails is told. */
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
    const meeting = momentOf(wall, zone);
    // Its seconds stay where only the day is another.
    const at = meeting.at + (target.minutes === null ? item.at % 60_000 : 0);
    if (at >= Date.now() - LATE_MS) return schedule(item, at, meetingNote(meeting, wall, zone));
    toastFailure(moving.past);
    return false;
  };
  return { put, schedule };
}
