import { CircleAlert, TriangleAlert } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { reordered, type Slide } from "@/lib/slides";
import { slideWords } from "@/strings/slides";
import { changeSlides } from "./draft";
import { useDrawn } from "./previews";
import { useReorder } from "./reorder";

interface Props {
  slides: readonly Slide[];
  chosen: string;
  onChoose: (key: string) => void;
  onRemove: (key: string) => void;
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** The slides in order: beside the preview, or above it on a phone. They can be moved by dragging and with the keyboard. */
export function Strip({ slides, chosen, onChoose, onRemove }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const [said, setSaid] = useState("");
  const drawn = useDrawn();
  const move = (from: number, to: number) => {
    if (to < 0 || to >= slides.length || from === to) return;
    changeSlides((slides) => reordered(slides, from, to));
    setSaid(slideWords.moved(to + 1, slides.length));
  };
  const { dragged, target, start } = useReorder(list, move);
  const order = dragged === null ? slides : reordered(slides, dragged, target);
  const press = (event: KeyboardEvent, place: number, key: string) => {
    const step = STEPS[event.key];
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      flushSync(() => onRemove(key));
      focusAt(list.current, Math.min(place, slides.length - 2));
    } else if (step !== undefined && !event.metaKey && !event.ctrlKey) {
      event.preventDefault();
      const to = place + step;
      flushSync(() => {
        if (event.altKey) move(place, to);
        else if (slides[to]) onChoose(slides[to].key);
      });
      if (slides[to]) focusAt(list.current, to);
    }
  };
  return (
    <div className="group min-w-0 lg:sticky lg:top-6">
      <ul
        ref={list}
        aria-label={slideWords.strip}
        className="-mx-4 flex gap-3 overflow-x-auto px-4 py-1 lg:mx-0 lg:grid lg:max-h-[calc(100dvh-9rem)] lg:overflow-y-auto lg:px-1"
      >
        {order.map((slide, place) => (
          <Tile
            key={slide.key}
            slide={slide}
            place={place}
            count={slides.length}
            isChosen={slide.key === chosen}
            isDragged={dragged !== null && slide.key === slides[dragged]?.key}
            drawn={drawn(slide)}
            onChoose={() => onChoose(slide.key)}
            onDrag={start}
            onKeyDown={(event) => press(event, place, slide.key)}
          />
        ))}
      </ul>
      <p aria-live="assertive" className="sr-only">
        {said}
      </p>
      <p
        id="strip-keys"
        className="sr-only text-soft text-xs lg:group-has-[:focus-visible]:not-sr-only lg:group-has-[:focus-visible]:mt-3"
      >
        {slideWords.keysHint}
      </p>
    </div>
  );
}

/** Focuses a position before the next key is handled: otherwise a second `Delete` could remove another slide. */
function focusAt(list: HTMLElement | null, place: number): void {
  list?.querySelectorAll<HTMLElement>("button")[place]?.focus();
}

interface TileProps {
  slide: Slide;
  place: number;
  count: number;
  isChosen: boolean;
  isDragged: boolean;
  drawn: ReturnType<ReturnType<typeof useDrawn>>;
  onChoose: () => void;
  onDrag: ReturnType<typeof useReorder>["start"];
  onKeyDown: (event: KeyboardEvent) => void;
}

function Tile({ slide, place, count, isChosen, isDragged, drawn, onChoose, onDrag, onKeyDown }: TileProps) {
  const said = slide.caption === "" ? slideWords.noCaption : slideWords.withCaption(slide.caption);
  const name = `${slideWords.slide(place + 1, count)}${said}${drawn?.problem ? slideWords.hasProblem : ""}`;
  return (
    <li className="shrink-0">
      <button
        type="button"
        aria-label={name}
        aria-current={isChosen ? "true" : undefined}
        aria-describedby="strip-keys"
        tabIndex={isChosen ? 0 : -1}
        onClick={onChoose}
        onPointerDown={(event) => onDrag(event, place)}
        onKeyDown={onKeyDown}
        className={`relative block aspect-[9/16] w-13 select-none overflow-hidden rounded-lg bg-sunken outline-offset-2 transition-shadow lg:w-full ${isChosen ? "ring-2 ring-accent" : "ring-1 ring-line hover:ring-line-strong"} ${isDragged ? "opacity-60" : ""}`}
      >
        <img
          src={drawn?.url ?? slide.thumb}
          alt=""
          draggable={false}
          className="absolute inset-0 size-full object-cover"
        />
        <span
          aria-hidden
          className="absolute bottom-1 left-1 min-w-5 rounded bg-surface px-1 text-center font-medium text-ink text-xs tabular-nums"
        >
          {place + 1}
        </span>
        {drawn?.problem && (
          <span aria-hidden className="absolute top-1 right-1 rounded bg-bad-soft p-0.5 text-bad">
            <CircleAlert className="size-4" />
          </span>
        )}
        {drawn && !drawn.problem && drawn.missing !== "" && (
          <span aria-hidden className="absolute top-1 right-1 rounded bg-warn-soft p-0.5 text-warn">
            <TriangleAlert className="size-4" />
          </span>
        )}
      </button>
    </li>
  );
}
