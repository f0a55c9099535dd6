import { Bookmark, ChevronLeft, ChevronRight, Forward, Heart, MessageCircle, Music2, Pause, Play } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import type { Schemas } from "@/api/client";
import { composeWords } from "@/strings/compose";
import { Switch } from "@/ui/switch";
import { nameOf } from "../accounts/names";
import { BRANDED, OWN_BRAND } from "./settings";
import { useComposing } from "./use-composition";

const SWIPE_PX = 40;
/** The area that the app's bars and buttons cover, of 1080 × 1920 (`docs/contract.md#safe-area`). */
const COVERED = [
  { name: "top", left: 0, top: 0, right: 0, bottom: 1 - 80 / 1920 },
  { name: "left", left: 0, top: 80 / 1920, right: 1 - 60 / 1080, bottom: 450 / 1920 },
  { name: "right", left: 1 - 120 / 1080, top: 80 / 1920, right: 0, bottom: 450 / 1920 },
  { name: "bottom", left: 0, top: 1 - 450 / 1920, right: 0, bottom: 0 },
];

interface Props {
  slide: number;
  onSlide: (index: number) => void;
}

/** The post as it looks on a phone. */
export function Preview({ slide, onSlide }: Props) {
  const { doc, media } = useComposing();
  const [isSafe, setSafe] = useState(false);
  const items = doc.media.map((id) => media.get(id) ?? null);
  const index = Math.max(0, Math.min(slide, items.length - 1));
  const item = items[index];
  const step = (by: number) => onSlide(Math.max(0, Math.min(items.length - 1, index + by)));
  return (
    <section aria-label={composeWords.preview} className="grid justify-items-center gap-4">
      <div className="relative aspect-[9/16] w-full max-w-72 overflow-hidden rounded-[1.75rem] border-4 border-black bg-black text-white shadow-raised">
        {items.length === 0 && (
          <p className="grid size-full place-content-center px-8 text-center text-white/70">
            {composeWords.previewEmpty}
          </p>
        )}
        {item?.mediaType === "video" && <Video key={item.id} media={item} />}
        {items.length > 0 && item?.mediaType !== "video" && <Slides items={items} index={index} onStep={step} />}
        <Chrome />
        {isSafe && COVERED.map((area) => <Covered key={area.name} area={area} />)}
      </div>
      <div className="w-full max-w-72">
        <Switch label={composeWords.previewSafe} checked={isSafe} onChange={({ target }) => setSafe(target.checked)} />
      </div>
    </section>
  );
}

const percent = (part: number) => `${part * 100}%`;

function Covered({ area: { left, top, right, bottom } }: { area: (typeof COVERED)[number] }) {
  const style = { left: percent(left), top: percent(top), right: percent(right), bottom: percent(bottom) };
  return <div aria-hidden data-covered style={style} className="pointer-events-none absolute z-30 bg-[#ff3b5c]/40" />;
}

/** Plays automatically and muted, unless the user prefers reduced motion. */
function Video({ media }: { media: Schemas["Media"] }) {
  const video = useRef<HTMLVideoElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    // Browsers may block autoplay; then the user starts it.
    if (!isCalm) video.current?.play().catch(() => undefined);
  }, []);
  const toggle = () => {
    if (video.current?.paused) video.current.play().catch(() => undefined);
    else video.current?.pause();
  };
  return (
    <>
      <video
        ref={video}
        src={media.publicUrl}
        poster={media.previewUrl}
        muted
        loop
        playsInline
        preload="metadata"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        className="size-full object-contain"
      />
      <button
        type="button"
        aria-label={isPlaying ? composeWords.pause : composeWords.play}
        onClick={toggle}
        className="absolute inset-0 z-10 grid place-content-center rounded-[1.5rem] -outline-offset-4"
      >
        {!isPlaying && (
          <span className="rounded-full bg-black/55 p-3">
            <Play aria-hidden className="size-6" fill="currentColor" />
          </span>
        )}
        {isPlaying && <Pause aria-hidden className="size-6 opacity-0" />}
      </button>
    </>
  );
}

interface SlidesProps {
  items: readonly (Schemas["Media"] | null)[];
  index: number;
  onStep: (by: number) => void;
}

function Slides({ items, index, onStep }: SlidesProps) {
  const from = useRef<number | null>(null);
  const press = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onStep(by);
  };
  const up = (event: PointerEvent) => {
    const moved = from.current === null ? 0 : event.clientX - from.current;
    from.current = null;
    if (Math.abs(moved) > SWIPE_PX) onStep(moved < 0 ? 1 : -1);
  };
  const item = items[index];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a carousel is no form.
    <div
      role="group"
      aria-roledescription="carousel"
      aria-label={composeWords.previewOf}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys change the slide.
      tabIndex={0}
      onKeyDown={press}
      onPointerDown={(event) => {
        from.current = event.clientX;
      }}
      onPointerUp={up}
      className="absolute inset-0 z-10 touch-pan-y select-none rounded-[1.5rem] -outline-offset-4"
    >
      {item && (
        <img
          key={item.id}
          src={item.publicUrl}
          alt={item.originalFileName}
          draggable={false}
          className="size-full object-contain"
        />
      )}
      {items.length > 1 && (
        <>
          <Turn label={composeWords.previous} side="left-1.5" isEnd={index === 0} onTurn={() => onStep(-1)}>
            <ChevronLeft aria-hidden className="size-5" />
          </Turn>
          <Turn label={composeWords.next} side="right-1.5" isEnd={index === items.length - 1} onTurn={() => onStep(1)}>
            <ChevronRight aria-hidden className="size-5" />
          </Turn>
          <p
            role="status"
            className="absolute top-3 right-3 rounded-full bg-black/60 px-2 py-0.5 font-medium text-xs tabular-nums"
          >
            {composeWords.previewSlide(index + 1, items.length)}
          </p>
        </>
      )}
    </div>
  );
}

interface TurnProps {
  label: string;
  side: string;
  isEnd: boolean;
  onTurn: () => void;
  children: React.ReactNode;
}

function Turn({ label, side, isEnd, onTurn, children }: TurnProps) {
  if (isEnd) return null;
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onTurn}
      className={`absolute top-[38%] ${side} rounded-full bg-black/55 p-1.5 transition-colors hover:bg-black/80`}
    >
      {children}
    </button>
  );
}

/** The app's overlay: buttons, name, caption, label. */
function Chrome() {
  const { doc, platforms } = useComposing();
  const platform = platforms.find(({ id }) => id === doc.accounts[0]);
  const settings = doc.settings[doc.accounts[0] ?? ""] ?? {};
  const { partnership, promotional } = composeWords.previewLabel;
  const label = settings[BRANDED] === true ? partnership : settings[OWN_BRAND] === true ? promotional : null;
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0 z-20 drop-shadow-[0_1px_2px_rgb(0_0_0/0.7)]">
      <div className="absolute inset-x-0 bottom-0 h-2/5 bg-linear-to-t from-black/60 to-transparent" />
      <div className="absolute right-2 bottom-16 grid justify-items-center gap-4">
        {[Heart, MessageCircle, Bookmark, Forward].map((Icon) => (
          <Icon key={Icon.displayName ?? String(Icon)} className="size-6" fill="currentColor" strokeWidth={1} />
        ))}
      </div>
      <div className="absolute right-14 bottom-4 left-3 grid gap-1 text-[0.8125rem] leading-[1.15rem]">
        <p className="truncate font-semibold">{platform ? nameOf(platform) : ""}</p>
        {doc.content && <p className="line-clamp-2 whitespace-pre-wrap break-words">{doc.content}</p>}
        {label && <p className="text-[0.6875rem] text-white/85">{label}</p>}
        <p className="flex items-center gap-1.5 truncate text-xs">
          <Music2 className="size-3" />
          {composeWords.previewSound}
        </p>
      </div>
    </div>
  );
}
