import { Move } from "lucide-react";
import { type RefObject, useEffect, useRef } from "react";
import { clock, dayName } from "@/lib/dates";
import { moving } from "@/strings/calendar";
import { postWords } from "@/strings/posts";
import { ui } from "@/strings/ui";
import { Button } from "@/ui/button";
import { type Carried, carriedBy } from "./carried";
import type { Item } from "./items";
import { readSurface, type Target } from "./surface";

interface Props {
  grid: RefObject<HTMLDivElement | null>;
  carried: Carried;
  onMove: (target: Target) => void;
  onDrop: () => void;
  onCancel: () => void;
}

/** Announces the target of the moved post, shows it in the grid, and handles the keys meanwhile. */
export function CarryBar({ grid, carried, onMove, onDrop, onCancel }: Props) {
  const { item, target } = carried;
  const latest = useRef({ carried, onMove, onDrop, onCancel });
  latest.current = { carried, onMove, onDrop, onCancel };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      const { carried, onMove, onDrop, onCancel } = latest.current;
      const onButton = event.target instanceof Element && event.target.closest("[data-carry]") !== null;
      const next = carriedBy(event.key, carried);
      if (next) onMove(next);
      else if (event.key === "Escape") onCancel();
      else if ((event.key === "Enter" || event.key === " ") && !onButton) onDrop();
      // Tab reaches the buttons; other keys are ignored until the post is dropped.
      else if (event.key === "Tab" || onButton) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener("keydown", press, { capture: true });
    return () => window.removeEventListener("keydown", press, { capture: true });
  }, []);
  useFrame(grid, target);
  const when = whenOf(item, target);
  return (
    <section
      data-carry=""
      aria-label={moving.carried(item.post.content || postWords.noCaption)}
      className="rises fixed inset-x-4 bottom-6 z-30 mx-auto flex w-fit max-w-full items-center gap-3 rounded-xl border border-line bg-surface py-1.5 pr-1.5 pl-4 shadow-raised"
    >
      <Move aria-hidden className="size-4 shrink-0 text-accent" />
      <p className="min-w-0">
        <span role="status" className="font-medium tabular-nums">
          {when}
        </span>
        <span className="block text-soft text-xs max-lg:hidden">
          {target.minutes === null ? moving.keysDays : moving.keysTimes}
        </span>
      </p>
      <Button size="small" kind="primary" onClick={onDrop}>
        {moving.drop}
      </Button>
      <Button size="small" kind="ghost" onClick={onCancel}>
        {ui.cancel}
      </Button>
    </section>
  );
}

/** The target in words. */
export const whenOf = (item: Item, target: Target): string =>
  `${dayName(target.day)}, ${clock(target.minutes ?? item.minutes)}`;

/** Shows the target in the grid, and scrolls to it. */
function useFrame(grid: RefObject<HTMLDivElement | null>, { day, minutes }: Target): void {
  useEffect(() => {
    const element = grid.current;
    if (!element) return;
    const surface = readSurface(element);
    surface.show({ day, minutes }, minutes === null ? "" : clock(minutes));
    element.querySelector("[data-target]")?.scrollIntoView({ block: "nearest" });
    return () => surface.show(null, "");
  });
}
