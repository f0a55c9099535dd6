/** Pointer and keyboard input of a grid of days. It reads the DOM elements, so that they need not be rendered again. */
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useReducer,
  useRef,
} from "react";
import type { Day } from "@/lib/calendar";
import { clock } from "@/lib/dates";
import { moving } from "@/strings/calendar";
import { toast } from "@/ui/toasts";
import { HINT_ID } from "./chip";
import { followPress, keepFromScrolling } from "./drag";
import { type Item, whyStuck } from "./items";
import { focusOn, goTo, keepReachable, mark } from "./roving";
import { pressedMinutes, SNAP_MINUTES, type Target } from "./surface";

interface Props {
  grid: RefObject<HTMLDivElement | null>;
  /** The day with the initial tab stop. */
  date: Day;
  find: (id: string) => Item | undefined;
  onOpen: (id: string, element: HTMLElement) => void;
  onOpenDay: (day: Day) => void;
  /** Called for an empty place; without minutes, for the whole day. */
  onNew: (day: Day, minutes: number | null) => void;
  onPut: (item: Item, target: Target) => void;
  onPickUp: (item: Item) => void;
  /** Called when an arrow key leads to a day that is not shown. */
  onBeyond: (day: Day) => void;
  children: ReactNode;
}

/** The element around a grid of days. */
export function Board({ grid, date, children, ...actions }: Props) {
  useEffect(() => {
    if (grid.current) keepReachable(grid.current, date);
  });
  useEffect(() => {
    const element = grid.current;
    element?.addEventListener("touchmove", keepFromScrolling, { passive: false });
    return () => element?.removeEventListener("touchmove", keepFromScrolling);
  });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for the buttons and days in it.
    <div
      className="contents"
      onPointerDown={(event) => press(event, grid.current, actions)}
      onPointerMove={hover}
      onPointerLeave={() => showSlot(null)}
      onClick={(event) => click(event, actions)}
      onKeyDown={(event) => key(event, grid.current, actions)}
      // A button is activated when the space bar is released.
      onKeyUp={(event) => event.key === " " && within(event.target, "[data-post]") && event.preventDefault()}
      onFocus={({ target }) => {
        if (grid.current && target instanceof HTMLElement && target.dataset.stop) mark(grid.current, target);
      }}
    >
      <p id={HINT_ID} hidden>
        {moving.hint}
      </p>
      {children}
    </div>
  );
}

type Actions = Omit<Props, "grid" | "date" | "children">;

const within = (target: EventTarget, selector: string): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null;

function press(event: PointerEvent, grid: HTMLElement | null, { find, onPut }: Actions): void {
  const chip = within(event.target, "[data-post]");
  const item = chip && find(chip.dataset.post ?? "");
  if (!grid || !chip || !item || event.button !== 0 || !event.isPrimary) return;
  const why = whyStuck(item.post);
  followPress(event.nativeEvent, {
    grid,
    chip,
    textOf: (target) => {
      const { minutes } = settled(item, target);
      return minutes === null ? "" : clock(minutes);
    },
    onDrop: (target) => onPut(item, settled(item, target)),
    stuck: why === null ? null : () => toast(why),
  });
}

/** Shows the time that a click on the empty place under the mouse would choose. */
function hover({ target, pointerType, buttons, clientY }: PointerEvent): void {
  const isFree = pointerType === "mouse" && buttons === 0 && target instanceof HTMLElement && target.matches(FREE);
  showSlot(isFree ? target : null, clientY);
}

/** A column of hours in the future, itself and not a post in it. */
const FREE = "[data-times] [data-day]:not([data-over])";

let slotShown: HTMLElement | null = null;

function showSlot(column: HTMLElement | null, y = 0): void {
  const slot = column?.querySelector<HTMLElement>("[data-slot]") ?? null;
  if (slotShown && slotShown !== slot) slotShown.hidden = true;
  slotShown = slot;
  if (!column || !slot) return;
  const minutes = pressedMinutes(column, y);
  slot.style.top = `${minutes / 14.4}%`;
  slot.textContent = clock(minutes);
  slot.hidden = false;
}

/** A post moved by less than a quarter of an hour keeps its minute, and so does one moved to another day only. */
function settled(item: Item, { day, minutes }: Target): Target {
  const isNear = minutes !== null && Math.abs(minutes - item.minutes) < SNAP_MINUTES;
  return { day, minutes: isNear ? item.minutes : minutes };
}

function click({ target, clientY }: MouseEvent, { onOpen, onOpenDay, onNew }: Actions): void {
  const chip = within(target, "[data-post]");
  const opens = within(target, "[data-open-day]")?.dataset.openDay;
  const adds = within(target, "[data-new]")?.dataset.new;
  const cell = within(target, "[data-day]");
  const day = cell?.dataset.day;
  if (chip) onOpen(chip.dataset.post ?? "", chip);
  else if (opens) onOpenDay(opens);
  else if (adds) onNew(adds, null);
  else if (cell && day) onNew(day, within(cell, "[data-times]") ? pressedMinutes(cell, clientY) : null);
}

function key(event: KeyboardEvent, grid: HTMLElement | null, { find, onPickUp, onBeyond }: Actions): void {
  const stop = within(event.target, "[data-stop]");
  if (!grid || !stop || event.metaKey || event.ctrlKey || event.altKey) return;
  const item = find(stop.dataset.post ?? "");
  if (event.key === " " && item) {
    const why = whyStuck(item.post);
    if (why === null) onPickUp(item);
    else toast(why);
  } else if (event.key.startsWith("Arrow")) {
    const day = goTo(grid, stop, event.key);
    if (day !== null) onBeyond(day);
  } else return;
  event.preventDefault();
}

/** The target of the focus: a post, or a day. */
export interface Wanted {
  day: Day;
  id?: string;
  /** A grid that must not get it: that of the previous view. */
  not?: HTMLElement | null;
}

/** Focuses a post or a day as soon as the grid shows it, unless the focus has moved meanwhile. */
export function useFocusSoon(grid: RefObject<HTMLDivElement | null>): (wanted: Wanted | null) => void {
  const wanted = useRef<Wanted | null>(null);
  const [, render] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const { current } = wanted;
    if (!current || !grid.current || grid.current === current.not) return;
    if (focusOn(grid.current, current)) wanted.current = null;
  });
  return useCallback((next: Wanted | null) => {
    wanted.current = next;
    if (next) render();
  }, []);
}
