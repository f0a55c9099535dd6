import { CircleAlert, Film, ImageOff, X } from "lucide-react";
import { useEffect, useState } from "react";
import { composeWords } from "@/strings/compose";
import { Button, IconButton } from "@/ui/button";
import { useComposing } from "./use-composition";
import type { useReorder } from "./use-reorder";
import type { Going } from "./use-uploads";

const FRAME = "relative block aspect-[9/16] w-full overflow-hidden rounded-xl border bg-sunken";
const MARK =
  "pointer-events-none absolute rounded-md bg-black/65 px-1.5 py-0.5 font-medium text-white text-xs tabular-nums";

interface Props {
  id: string;
  index: number;
  reorder: ReturnType<typeof useReorder>;
  hint: string;
  hasProblem: boolean;
  onShow: () => void;
  onRemove: () => void;
  /** Null if no cover can be chosen. */
  onCover: (() => void) | null;
}

/** A photo or the video of the post. */
export function MediaTile({ id, index, reorder, hint, hasProblem, onShow, onRemove, onCover }: Props) {
  const { doc, media } = useComposing();
  const item = media.get(id);
  const count = doc.media.length;
  const isVideo = item?.mediaType === "video";
  const name = isVideo ? composeWords.video : composeWords.photo(index + 1, count);
  const isHeld = reorder.held === index;
  const isTarget = reorder.target === index;
  const isCover = doc.cover === null || !doc.media.includes(doc.cover) ? index === 0 : doc.cover === id;
  const border = hasProblem ? "border-bad" : isHeld || isTarget ? "border-accent" : "border-line";
  return (
    <li className={`relative grid content-start gap-1.5 ${isHeld ? "z-10 scale-[1.04]" : ""} transition-[scale]`}>
      <button
        type="button"
        data-handle
        aria-label={item ? `${name}: ${item.originalFileName}` : name}
        aria-describedby={count > 1 ? hint : undefined}
        aria-pressed={isHeld || undefined}
        onClick={onShow}
        onKeyDown={(event) => (event.key === "Delete" ? onRemove() : count > 1 && reorder.press(event, index))}
        onBlur={reorder.letGo}
        {...reorder.pointer(index)}
        className={`${FRAME} ${border} ${isHeld || isTarget ? "ring-2 ring-accent" : ""} touch-pan-y select-none ${count > 1 ? "cursor-grab active:cursor-grabbing" : ""}`}
      >
        {item && <img src={item.previewUrl} alt="" draggable={false} className="size-full object-cover" />}
        {item === null && (
          <span className="grid size-full place-content-center justify-items-center gap-2 p-2 text-center text-bad text-xs">
            <ImageOff aria-hidden className="size-5" />
            {composeWords.unknownMedia}
          </span>
        )}
        {item === undefined && <span aria-hidden className="block size-full animate-pulse bg-sunken" />}
        {count > 1 && <span className={`${MARK} bottom-1.5 left-1.5`}>{index + 1}</span>}
        {isVideo && (
          <span className={`${MARK} bottom-1.5 left-1.5 flex items-center gap-1`}>
            <Film aria-hidden className="size-3" />
            {composeWords.seconds(((item.thumbnailMetadata?.durationMs ?? 0) / 1000).toFixed(1))}
          </span>
        )}
      </button>
      <Off label={composeWords.remove(name)} onClick={onRemove} />
      {onCover && (
        <label className="flex items-center gap-1.5 px-0.5 text-soft text-xs has-[:checked]:text-ink">
          <input
            type="radio"
            name="cover"
            aria-label={composeWords.makeCover(name)}
            checked={isCover}
            onChange={onCover}
            className="size-3.5 accent-accent"
          />
          {composeWords.cover}
        </label>
      )}
    </li>
  );
}

/** The button that removes a tile; in its corner, visible on any picture. */
function Off({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="absolute top-1.5 right-1.5 flex size-6 items-center justify-center rounded-full bg-black/65 text-white transition-colors hover:bg-black/90"
    >
      <X aria-hidden className="size-3.5" />
    </button>
  );
}

/** A file that is being uploaded. */
export function UploadTile({ going, onCancel, onAgain }: { going: Going; onCancel: () => void; onAgain: () => void }) {
  const { file, state, part, problem } = going;
  const picture = useLocalPicture(file);
  const percent = Math.round(part * 100);
  return (
    <li className="relative">
      <div className={`${FRAME} ${state === "failed" ? "border-bad" : "border-line"}`}>
        {picture && <img src={picture} alt="" className="size-full object-cover opacity-40" />}
        <div className="absolute inset-0 grid content-end gap-1.5 p-2 text-xs">
          <p className="line-clamp-4 break-words">{problem ?? file.name}</p>
          {state === "failed" ? (
            <Button size="small" onClick={onAgain}>
              {composeWords.uploadAgain}
            </Button>
          ) : (
            <>
              <p className="text-soft tabular-nums">
                {state === "goes" ? composeWords.uploading(percent) : composeWords.uploadWaits}
              </p>
              <progress
                max={100}
                value={percent}
                aria-label={composeWords.uploadingName(file.name)}
                className="h-1 w-full overflow-hidden rounded-full accent-accent"
              />
            </>
          )}
        </div>
      </div>
      <Off label={composeWords.uploadCancel(file.name)} onClick={onCancel} />
    </li>
  );
}

/** A rejected file: its name, the reason, and the button that removes it. */
export function RefusedFile({ going, onCancel, onAgain }: { going: Going; onCancel: () => void; onAgain: () => void }) {
  const { file, problem } = going;
  return (
    <li className="flex items-start gap-2.5 py-2 pr-2 pl-3">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
      <div className="min-w-0 flex-1">
        <p className="break-all font-medium">{file.name}</p>
        <p className="break-words text-bad text-[0.8125rem]">{problem}</p>
      </div>
      <Button size="small" onClick={onAgain}>
        {composeWords.uploadAgain}
      </Button>
      <IconButton label={composeWords.remove(file.name)} onClick={onCancel}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </li>
  );
}

/** The object URL of a file that is not uploaded yet. */
function useLocalPicture(file: File): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!file.type.startsWith("image/")) return;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return address;
}
