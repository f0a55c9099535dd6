import { Link } from "@tanstack/react-router";
import { CircleAlert, CloudUpload, Play } from "lucide-react";
import type { DragEvent } from "react";
import type { Schemas } from "@/api/client";
import { bytes } from "@/lib/amount";
import { duration } from "@/lib/media";
import { mediaWords } from "@/strings/media";
import { Tick } from "@/ui/field";
import { DRAGGED, type MediaSearch } from "./search";

type Media = Schemas["Media"];

interface Props {
  media: Media;
  search: MediaSearch;
  isActive: boolean;
  isChosen: boolean;
  /** The files that are dragged with this one. */
  dragged: string[];
  onFocus: () => void;
  onToggle: (isRange: boolean) => void;
}

/** One file: its picture, its name, its kind. It opens the viewer; its box selects it. */
export function Tile({ media, search, isActive, isChosen, dragged, onFocus, onToggle }: Props) {
  const name = media.originalFileName;
  const drag = (event: DragEvent) => {
    event.dataTransfer.setData(DRAGGED, JSON.stringify(dragged));
    event.dataTransfer.effectAllowed = "move";
  };
  return (
    <li className="group relative" draggable onDragStart={drag}>
      <Link
        to="/media"
        search={{ ...search, file: media.id }}
        preload={false}
        resetScroll={false}
        data-tile
        draggable={false}
        tabIndex={isActive ? 0 : -1}
        onFocus={onFocus}
        className="block rounded-xl outline-offset-4"
      >
        <Picture media={media} isChosen={isChosen} />
        <span className="mt-2 block truncate font-medium" title={name}>
          {name}
        </span>
        <span className="block truncate text-soft text-xs">{media.size === null ? "" : bytes(media.size)}</span>
      </Link>
      <Tick
        label={mediaWords.select(name)}
        checked={isChosen}
        tabIndex={isActive ? 0 : -1}
        onFocus={onFocus}
        onChange={(event) => onToggle((event.nativeEvent as MouseEvent).shiftKey)}
        className={`absolute top-2.5 left-2.5 size-5 transition-opacity ${isChosen ? "" : "pointer-fine:opacity-0 pointer-fine:focus-visible:opacity-100 pointer-fine:group-hover:opacity-100"}`}
      />
    </li>
  );
}

function Picture({ media, isChosen }: { media: Media; isChosen: boolean }) {
  const isReady = media.status === "READY";
  return (
    <span
      className={`relative grid aspect-[4/5] place-items-center overflow-hidden rounded-xl bg-sunken ${isChosen ? "ring-2 ring-accent ring-offset-2 ring-offset-canvas" : ""}`}
    >
      {isReady ? (
        <img
          src={media.previewUrl}
          alt=""
          loading="lazy"
          draggable={false}
          className="absolute inset-0 size-full object-cover"
        />
      ) : (
        <span className="grid justify-items-center gap-2 text-soft text-xs">
          {media.failure ? (
            <CircleAlert aria-hidden className="size-5" />
          ) : (
            <CloudUpload aria-hidden className="size-5" />
          )}
          {media.failure ? mediaWords.failed : mediaWords.pending}
        </span>
      )}
      {isReady && media.mediaType === "video" && (
        <span className="absolute right-2 bottom-2 flex items-center gap-1 rounded-md bg-surface px-1.5 py-0.5 font-medium text-ink text-xs tabular-nums">
          <Play aria-hidden className="size-3" />
          <span className="sr-only">{mediaWords.video}</span>
          {duration(media.thumbnailMetadata?.durationMs)}
        </span>
      )}
    </span>
  );
}
