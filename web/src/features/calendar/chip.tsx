import { memo } from "react";
import type { PostState } from "@/api/queries/posts";
import type { Day } from "@/lib/calendar";
import { offsetName, shortClock } from "@/lib/dates";
import { momentOf } from "@/lib/zoned";
import { postWords } from "@/strings/posts";
import { LOOKS } from "../posts/state";
import { type Item, whyStuck } from "./items";

/** The ID of the instructions for moving a post with the keyboard. */
export const HINT_ID = "calendar-hint";

const TONES: Record<PostState, { box: string; mark: string }> = {
  DRAFT: { box: "border border-line-strong/70 border-dashed bg-surface", mark: "text-soft" },
  QUEUE: { box: "bg-info-soft", mark: "text-info" },
  PUBLISHED: { box: "bg-sunken", mark: "text-good" },
  ACTION_REQUIRED: { box: "bg-warn-soft", mark: "text-warn" },
  ERROR: { box: "bg-bad-soft", mark: "text-bad" },
};

/** The local time of a post, with the offset where the clocks show it twice. */
export function timeOf({ at, day, minutes }: Item, zone: string): string {
  const time = shortClock(minutes);
  return momentOf({ day, minutes }, zone).kind === "twice" ? `${time} ${offsetName(at, zone)}` : time;
}

interface Props {
  item: Item;
  zone: string;
  /** Whether it is placed at its time: then the time is hidden first when space is short, otherwise the caption. */
  isPlaced?: boolean;
}

/** A post in a day: its state, its time and its caption, as space allows. */
export const Chip = memo(function Chip({ item, zone, isPlaced = false }: Props) {
  const { post } = item;
  const { icon: Icon } = LOOKS[post.state];
  const { box, mark } = TONES[post.state];
  const stuck = whyStuck(post);
  return (
    <button
      type="button"
      data-post={post.id}
      data-stop={item.day}
      tabIndex={-1}
      aria-haspopup="dialog"
      aria-describedby={stuck ? undefined : HINT_ID}
      className={`@container block h-full w-full overflow-hidden rounded-md px-1 text-left text-xs outline-offset-1 transition-[filter,opacity] hover:brightness-95 data-[lifted]:opacity-40 dark:hover:brightness-125 ${box} ${stuck ? "" : "touch-pan-y active:cursor-grabbing"}`}
    >
      <span className="flex h-full items-center gap-1">
        <Icon aria-hidden className={`size-3 shrink-0 ${mark}`} strokeWidth={2.25} />
        <span className="sr-only">{`${postWords.states[post.state]}, `}</span>
        <time
          dateTime={new Date(item.at).toISOString()}
          className={`shrink-0 whitespace-nowrap text-soft tabular-nums ${isPlaced ? "@max-[6.5rem]:sr-only" : ""}`}
        >
          {timeOf(item, zone)}
        </time>
        <span
          className={`min-w-0 flex-1 truncate ${isPlaced ? "" : "@max-[5.5rem]:sr-only"} ${post.content ? "text-ink" : "text-soft"}`}
        >
          {post.content || postWords.noCaption}
        </span>
      </span>
    </button>
  );
});

/** The button for the rest of a day's posts. */
export function MoreButton({ day, text, label }: { day: Day; text: string; label: string }) {
  return (
    <button
      type="button"
      data-open-day={day}
      data-stop={day}
      tabIndex={-1}
      aria-label={label}
      className="block h-full w-full truncate rounded-md px-1.5 text-left font-medium text-soft text-xs outline-offset-1 hover:bg-hover hover:text-ink"
    >
      {text}
    </button>
  );
}
