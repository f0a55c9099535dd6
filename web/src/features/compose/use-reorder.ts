/** Reordering tiles by pointer and by keyboard. */
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { nearest } from "@/lib/reorder";
import { composeWords } from "@/strings/compose";

/** How far a pointer moves before it drags. */
const SLACK_PX = 6;
const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

interface Drag {
  from: number;
  tile: HTMLElement;
  x: number;
  y: number;
  middles: { x: number; y: number }[];
  isOn: boolean;
  /** The position over which it is held. */
  to: number;
}

/** `list` is the element whose children are the tiles. `onMove` moves the item at `from` to `to`. */
export function useReorder(count: number, onMove: (from: number, to: number) => void) {
  const list = useRef<HTMLUListElement>(null);
  const drag = useRef<Drag | null>(null);
  /** The item that is moved with the keyboard, and its original position. */
  const [held, setHeld] = useState<{ at: number; from: number } | null>(null);
  const [target, setTarget] = useState<number | null>(null);
  const [said, setSaid] = useState("");

  // Refocuses the moved tile: the browser removes the focus from elements that move in the DOM.
  useEffect(() => {
    if (held) list.current?.children[held.at]?.querySelector<HTMLElement>("[data-handle]")?.focus();
  }, [held]);

  const put = (to: number, isOver: boolean, words: string) => {
    if (!held) return;
    if (to !== held.at) onMove(held.at, to);
    setHeld(isOver ? null : { ...held, at: to });
    setSaid(words);
  };
  const press = (event: KeyboardEvent, index: number) => {
    const step = STEPS[event.key];
    if (event.key === " " || (event.key === "Enter" && held)) {
      event.preventDefault();
      if (held) put(held.at, true, composeWords.putDown(held.at + 1));
      else {
        setHeld({ at: index, from: index });
        setSaid(composeWords.pickedUp(index + 1, count));
      }
    } else if (event.key === "Escape" && held) {
      event.preventDefault();
      put(held.from, true, composeWords.putBack);
    } else if (step !== undefined && held) {
      event.preventDefault();
      const to = Math.max(0, Math.min(count - 1, held.at + step));
      put(to, false, composeWords.movedTo(to + 1, count));
    } else if (step !== undefined) {
      event.preventDefault();
      list.current?.children[index + step]?.querySelector<HTMLElement>("[data-handle]")?.focus();
    }
  };

  const end = () => {
    const { current } = drag;
    drag.current = null;
    setTarget(null);
    current?.tile.style.removeProperty("transform");
    return current;
  };
  const pointer = (index: number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const tile = list.current?.children[index];
      if (event.button !== 0 || count < 2 || !(tile instanceof HTMLElement)) return;
      drag.current = { from: index, tile, x: event.clientX, y: event.clientY, middles: [], isOn: false, to: index };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const { current } = drag;
      if (!current) return;
      if (event.buttons === 0) return void end();
      const [dx, dy] = [event.clientX - current.x, event.clientY - current.y];
      if (!current.isOn) {
        if (Math.hypot(dx, dy) < SLACK_PX) return;
        current.isOn = true;
        current.middles = [...(list.current?.children ?? [])].slice(0, count).map(middleOf);
        event.currentTarget.setPointerCapture(event.pointerId);
      }
      current.tile.style.setProperty("transform", `translate(${dx}px, ${dy}px)`);
      current.to = nearest(current.middles, { x: event.clientX, y: event.clientY });
      setTarget(current.to);
    },
    onPointerUp: () => {
      const ended = end();
      if (ended?.isOn && ended.to !== ended.from) onMove(ended.from, ended.to);
    },
    onPointerCancel: end,
    onLostPointerCapture: end,
  });
  /** Focuses the tile at a position, once it is rendered. */
  const focus = (index: number) =>
    requestAnimationFrame(() => {
      const tiles = [...(list.current?.querySelectorAll<HTMLElement>("[data-handle]") ?? [])];
      tiles[Math.min(index, tiles.length - 1)]?.focus();
    });
  return { list, held: held?.at ?? null, target, said, press, pointer, focus, letGo: () => setHeld(null) };
}

function middleOf(element: Element): { x: number; y: number } {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
