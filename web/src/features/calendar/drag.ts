/** Dragging a post with a pointer. Nothing is rendered while it lasts: a copy of the post and a frame are moved. */
import { readSurface, type Surface, type Target } from "./surface";

/** A pointer press on a post that may become a drag. */
export interface Press {
  grid: HTMLElement;
  chip: HTMLElement;
  /** The frame's text for a target. */
  textOf: (target: Target) => string;
  onDrop: (target: Target) => void;
  /** Called instead of dragging if the post cannot be moved. */
  stuck: (() => void) | null;
}

/** How far a mouse moves before it drags, and a finger before it scrolls. */
const SLACK_PX = { mouse: 4, touch: 10 };
/** How long a finger is held before it drags. */
const HOLD_MS = 350;
/** The distance from its edge at which a grid scrolls, which is also the most pixels per frame. */
const EDGE_PX = 44;
const MOST_PX = 14;

interface Point {
  x: number;
  y: number;
}

interface Drag {
  surface: Surface;
  ghost: HTMLElement;
  /** The point of the post under the pointer. */
  grip: Point;
}

let isDragging = false;

/** Prevents scrolling during a touch drag; must be registered before the touch starts. */
export const keepFromScrolling = (event: TouchEvent): void => {
  if (isDragging && event.cancelable) event.preventDefault();
};

/** Follows a press until it ends as a drag, a click or a scroll. */
export function followPress(down: PointerEvent, press: Press): void {
  const isTouch = down.pointerType === "touch";
  const start = { x: down.clientX, y: down.clientY };
  let at: Point = start;
  let drag: Drag | null = null;
  let frame = 0;
  const begin = () => {
    if (press.stuck) {
      finish();
      swallowClick();
      press.stuck();
      return;
    }
    drag = lift(press, start, down.pointerId);
    frame = requestAnimationFrame(draw);
  };
  const draw = () => {
    if (drag) follow(drag, press, at);
    frame = requestAnimationFrame(draw);
  };
  const move = (event: PointerEvent) => {
    if (event.pointerId !== down.pointerId) return;
    at = { x: event.clientX, y: event.clientY };
    if (drag) return;
    const distance = Math.hypot(at.x - start.x, at.y - start.y);
    if (isTouch && distance > SLACK_PX.touch) finish();
    else if (!isTouch && distance > SLACK_PX.mouse) begin();
  };
  const up = (event: PointerEvent) => {
    if (event.pointerId !== down.pointerId) return;
    at = { x: event.clientX, y: event.clientY };
    const target = drag && targetOf(drag, press.grid, at);
    finish();
    if (target) press.onDrop(target);
  };
  const key = (event: KeyboardEvent) => {
    if (!drag || event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    finish();
  };
  const hold = isTouch ? setTimeout(begin, HOLD_MS) : undefined;
  const listening = new AbortController();
  const finish = () => {
    listening.abort();
    clearTimeout(hold);
    cancelAnimationFrame(frame);
    if (!drag) return;
    put(drag, press.chip);
    swallowClick();
  };
  const { signal } = listening;
  window.addEventListener("pointermove", move, { signal });
  window.addEventListener("pointerup", up, { signal });
  window.addEventListener("pointercancel", finish, { signal });
  window.addEventListener("blur", finish, { signal });
  window.addEventListener("keydown", key, { signal, capture: true });
  window.addEventListener("contextmenu", (event) => drag && event.preventDefault(), { signal });
}

function lift({ grid, chip }: Press, start: Point, pointer: number): Drag {
  isDragging = true;
  const box = chip.getBoundingClientRect();
  const ghost = chip.cloneNode(true) as HTMLElement;
  for (const name of ["data-post", "data-stop", "aria-describedby"]) ghost.removeAttribute(name);
  ghost.setAttribute("aria-hidden", "true");
  ghost.className += " pointer-events-none fixed top-0 left-0 z-50 shadow-raised will-change-transform";
  ghost.style.width = `${box.width}px`;
  ghost.style.height = `${box.height}px`;
  document.body.append(ghost);
  chip.dataset.lifted = "";
  grid.setPointerCapture(pointer);
  return { surface: readSurface(grid), ghost, grip: { x: start.x - box.left, y: start.y - box.top } };
}

function put({ surface, ghost }: Drag, chip: HTMLElement): void {
  isDragging = false;
  ghost.remove();
  delete chip.dataset.lifted;
  surface.show(null, "");
}

/** Suppresses the click event at the end of a drag. */
function swallowClick(): void {
  const over = new AbortController();
  const options = { capture: true, signal: over.signal };
  const end = () => over.abort();
  window.addEventListener("click", (event) => event.stopPropagation(), options);
  for (const type of ["click", "pointerdown", "keydown"]) window.addEventListener(type, end, options);
}

function targetOf({ surface, grip }: Drag, grid: HTMLElement, { x, y }: Point): Target | null {
  const box = grid.getBoundingClientRect();
  const isInside = x >= box.left && x < box.right && y >= box.top && y < box.bottom;
  return isInside ? surface.targetAt(x, surface.hasTimes ? y - grip.y : y) : null;
}

function follow(drag: Drag, press: Press, at: Point): void {
  const target = targetOf(drag, press.grid, at);
  scrollAtEdge(drag.surface.scroller, at.y);
  drag.ghost.style.transform = `translate(${at.x - drag.grip.x}px, ${at.y - drag.grip.y}px)`;
  drag.surface.show(target, target ? press.textOf(target) : "");
}

function scrollAtEdge(scroller: HTMLElement | null, y: number): void {
  if (!scroller) return;
  const { top, bottom } = scroller.getBoundingClientRect();
  const up = Math.max(0, EDGE_PX - (y - top));
  const down = Math.max(0, EDGE_PX - (bottom - y));
  if (up > 0) scroller.scrollTop -= Math.min(1, up / EDGE_PX) * MOST_PX;
  else if (down > 0) scroller.scrollTop += Math.min(1, down / EDGE_PX) * MOST_PX;
}
