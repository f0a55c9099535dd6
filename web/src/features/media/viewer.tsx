import { ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect } from "react";
import type { Schemas } from "@/api/client";
import { useMedia } from "@/api/queries/posts";
import { isTyping } from "@/lib/keys";
import { mediaWords } from "@/strings/media";
import { IconButton } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Skeleton } from "@/ui/page";
import { Loaded } from "../problem";
import { Details } from "./details";
import type { MediaSearch } from "./search";

type Media = Schemas["Media"];

interface Props {
  media: readonly Media[];
  search: MediaSearch;
  onSearch: (search: MediaSearch) => void;
}

/** One file enlarged, with its details; arrows show its neighbours. */
export function Viewer({ media, search, onSearch }: Props) {
  const { file, ...rest } = search;
  const place = media.findIndex(({ id }) => id === file);
  const known = media[place];
  const close = () => onSearch(rest);
  const to = (step: number) => {
    const next = place < 0 ? undefined : media[place + step];
    return next ? () => onSearch({ ...rest, file: next.id }) : null;
  };
  return (
    <Dialog open={file !== undefined} onClose={close} title={known?.originalFileName ?? mediaWords.preview} full>
      {known && <Shown key={known.id} media={known} onBefore={to(-1)} onAfter={to(1)} onGone={to(1) ?? close} />}
      {!known && file && <Fetched id={file} onGone={close} />}
    </Dialog>
  );
}

/** A file that is not in the loaded list. */
function Fetched({ id, onGone }: { id: string; onGone: () => void }) {
  const query = useMedia(id);
  if (query.isPending) return <Skeleton rows={2} />;
  return (
    <Loaded query={query}>{(media) => <Shown media={media} onBefore={null} onAfter={null} onGone={onGone} />}</Loaded>
  );
}

interface ShownProps {
  media: Media;
  onBefore: (() => void) | null;
  onAfter: (() => void) | null;
  onGone: () => void;
}

function Shown({ media, onBefore, onAfter, onGone }: ShownProps) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isElsewhere = isTyping(event.target) || event.target instanceof HTMLVideoElement;
      if (isElsewhere || document.querySelectorAll("dialog[open], [role=menu]").length > 1) return;
      if (event.key === "ArrowLeft") onBefore?.();
      if (event.key === "ArrowRight") onAfter?.();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [onBefore, onAfter]);
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="relative grid h-[min(46dvh,30rem)] place-items-center overflow-hidden rounded-xl bg-sunken lg:h-[calc(96dvh-7rem)]">
        <Stage media={media} />
        <Step side="left" label={mediaWords.previous} onClick={onBefore} />
        <Step side="right" label={mediaWords.next} onClick={onAfter} />
      </div>
      <Details media={media} onGone={onGone} />
    </div>
  );
}

function Stage({ media }: { media: Media }) {
  const { publicUrl, previewUrl, originalFileName, mediaType, status, failure } = media;
  if (status !== "READY") {
    const text = failure ? mediaWords.failedText(failure.message) : mediaWords.pendingText;
    return <p className="max-w-xs px-6 text-center text-soft">{text}</p>;
  }
  if (mediaType === "video") {
    return (
      // biome-ignore lint/a11y/useMediaCaption: the file is shown as it was uploaded; there are no captions of it.
      <video
        controls
        playsInline
        preload="metadata"
        src={publicUrl}
        poster={previewUrl}
        aria-label={originalFileName}
        className="absolute inset-0 size-full"
      />
    );
  }
  return <img src={publicUrl} alt={originalFileName} className="absolute inset-0 size-full object-contain" />;
}

function Step({ side, label, onClick }: { side: "left" | "right"; label: string; onClick: (() => void) | null }) {
  if (!onClick) return null;
  return (
    <IconButton
      label={label}
      onClick={onClick}
      className={`absolute top-1/2 size-10 -translate-y-1/2 border border-line bg-surface text-ink ${side === "left" ? "left-3" : "right-3"}`}
    >
      {side === "left" ? (
        <ChevronLeft aria-hidden className="size-5" />
      ) : (
        <ChevronRight aria-hidden className="size-5" />
      )}
    </IconButton>
  );
}
