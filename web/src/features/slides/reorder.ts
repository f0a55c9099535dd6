import { type PointerEvent as ReactPointerEvent, type RefObject, useState } from "react";

/** How far a pointer moves before it drags. */
const THRESHOLD_PX = 6;

/** The position of a list that is nearest to the pointer. */
function nearest(places: readonly DOMRect[], x: number, y: number): number {
  const far = places.map((rect) => Math.hypot(rect.x + rect.width / 2 - x, rect.y + rect.height / 2 - y));
  return far.indexOf(Math.min(...far));
}

/**
 * Dragging the members of a list. The positions are those at the start of the drag. Touch scrolls the list instead; for it
 * there are buttons.
 */
export function useReorder(list: RefObject<HTMLElement | null>, drop: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const start = (event: ReactPointerEvent<HTMLElement>, from: number) => {
    if (event.button !== 0 || event.pointerType === "touch") return;
    const places = [...(list.current?.children ?? [])].map((child) => child.getBoundingClientRect());
    const { clientX: x, clientY: y } = event;
    const scrolled = () => ({ x: list.current?.scrollLeft ?? 0, y: list.current?.scrollTop ?? 0 });
    const origin = scrolled();
    let to: number | null = null;
    const move = (event: PointerEvent) => {
      if (to === null && Math.hypot(event.clientX - x, event.clientY - y) < THRESHOLD_PX) return;
      const now = scrolled();
      to = nearest(places, event.clientX + now.x - origin.x, event.clientY + now.y - origin.y);
      setDrag({ from, to });
    };
    const end = (isDropped: boolean) => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", up);
      window.removeEventListener("pointercancel", cancel);
      window.removeEventListener("keydown", press);
      setDrag(null);
      if (isDropped && to !== null) drop(from, to);
    };
    const up = () => end(true);
    const cancel = () => end(false);
    const press = (event: KeyboardEvent) => event.key === "Escape" && end(false);
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", up);
    window.addEventListener("pointercancel", cancel);
    window.addEventListener("keydown", press);
  };
  return { dragged: drag?.from ?? null, target: drag?.to ?? 0, start };
}
