import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import {
  characters,
  FITS,
  type Look,
  lookOf,
  MOST_CHARACTERS,
  POSITIONS,
  reordered,
  SIZES,
  type Slide,
  STYLES,
} from "@/lib/slides";
import { slideWords } from "@/strings/slides";
import { Button, IconButton } from "@/ui/button";
import { Choice } from "@/ui/choice";
import { TextArea } from "@/ui/field";
import { Notice } from "@/ui/parts";
import { toast } from "@/ui/toasts";
import { changeSlide, changeSlides, currentDraft } from "./draft";
import { type Drawn, useDrawn } from "./previews";

interface Props {
  slide: Slide;
  place: number;
  count: number;
  onRemove: () => void;
}

/** The caption and the appearance of a slide, and its problems. */
export function Inspector({ slide, place, count, onRemove }: Props) {
  const drawn = useDrawn()(slide);
  const length = characters(slide.caption);
  const change = (news: Partial<Slide>) => changeSlide(slide.key, news);
  const other = drawn?.problem && drawn.problem.about !== "caption" ? drawn.problem.text : null;
  return (
    <section aria-label={slideWords.slide(place + 1, count)} className="grid gap-5">
      {other && (
        <Notice tone="bad" role="alert">
          <span className="font-medium">{slide.name}: </span>
          {other}
        </Notice>
      )}
      <div>
        <TextArea
          label={slideWords.caption}
          rows={4}
          value={slide.caption}
          placeholder={slideWords.captionPlaceholder}
          onChange={(event) => change({ caption: event.target.value })}
          problem={problemOf(length, drawn)}
          hint={<Hint length={length} missing={drawn?.missing ?? ""} />}
        />
      </div>
      <LookControls slide={slide} onChange={change} />
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" disabled={count < 2} onClick={() => forAll(slide)}>
          {slideWords.forAll}
        </Button>
        <span className="flex-1" />
        <IconButton
          label={slideWords.earlier}
          disabled={place === 0}
          onClick={() => changeSlides((slides) => reordered(slides, place, place - 1))}
        >
          <ArrowUp aria-hidden className="size-4 max-lg:-rotate-90" />
        </IconButton>
        <IconButton
          label={slideWords.later}
          disabled={place === count - 1}
          onClick={() => changeSlides((slides) => reordered(slides, place, place + 1))}
        >
          <ArrowDown aria-hidden className="size-4 max-lg:-rotate-90" />
        </IconButton>
        <IconButton label={slideWords.remove} onClick={onRemove}>
          <Trash2 aria-hidden className="size-4" />
        </IconButton>
      </div>
    </section>
  );
}

function problemOf(length: number, drawn: Drawn | undefined): string | undefined {
  if (length > MOST_CHARACTERS) return slideWords.tooLong(MOST_CHARACTERS);
  return drawn?.problem?.about === "caption" ? drawn.problem.text : undefined;
}

function Hint({ length, missing }: { length: number; missing: string }) {
  return (
    <span className="flex flex-wrap justify-between gap-x-4 gap-y-1">
      {missing !== "" && <span className="text-warn">{slideWords.missing(missing)}</span>}
      <span className="ml-auto tabular-nums">{slideWords.count(length, MOST_CHARACTERS)}</span>
    </span>
  );
}

function LookControls({ slide, onChange }: { slide: Look; onChange: (look: Partial<Look>) => void }) {
  return (
    <div className="grid gap-2.5">
      <Choice
        label={slideWords.size}
        value={slide.captionSize}
        options={SIZES}
        names={slideWords.sizes}
        onChange={(captionSize) => onChange({ captionSize })}
      />
      <Choice
        label={slideWords.position}
        value={slide.captionPosition}
        options={POSITIONS}
        names={slideWords.positions}
        onChange={(captionPosition) => onChange({ captionPosition })}
      />
      <Choice
        label={slideWords.style}
        value={slide.captionStyle}
        options={STYLES}
        names={slideWords.styles}
        onChange={(captionStyle) => onChange({ captionStyle })}
      />
      <Choice
        label={slideWords.fit}
        value={slide.fit}
        options={FITS}
        names={slideWords.fits}
        onChange={(fit) => onChange({ fit })}
      />
    </div>
  );
}

/** Applies the appearance of one slide to all, with undo. */
function forAll(slide: Slide): void {
  const before = new Map(currentDraft().slides.map((one) => [one.key, lookOf(one)]));
  changeSlides((slides) => slides.map((one) => ({ ...one, ...lookOf(slide) })));
  toast(slideWords.forAllDone, () =>
    changeSlides((slides) => slides.map((one) => ({ ...one, ...before.get(one.key) }))),
  );
}
