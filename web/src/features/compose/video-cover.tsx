import { useEffect, useId, useRef } from "react";
import { composeWords } from "@/strings/compose";
import { useComposing } from "./use-composition";

const STEP_MS = 100;

/** The choice of the video's cover frame. */
export function VideoCover() {
  const { doc, edit, media } = useComposing();
  const id = useId();
  const picture = useRef<HTMLVideoElement>(null);
  const item = media.get(doc.media[0] ?? "");
  const length = item?.thumbnailMetadata?.durationMs ?? 0;
  const ms = Math.min(doc.coverMs ?? 0, length);
  useEffect(() => {
    if (picture.current) picture.current.currentTime = ms / 1000;
  }, [ms]);
  if (!item || length === 0) return null;
  return (
    <div className="flex items-center gap-4">
      <video
        ref={picture}
        src={item.publicUrl}
        poster={item.previewUrl}
        muted
        preload="metadata"
        aria-hidden
        tabIndex={-1}
        className="aspect-[9/16] w-12 shrink-0 rounded-lg border border-line bg-sunken object-cover"
      />
      <div className="grid min-w-0 flex-1 gap-1">
        <label htmlFor={id} className="flex justify-between gap-4">
          <span className="font-medium">{composeWords.videoCover}</span>
          <span className="text-soft tabular-nums">{composeWords.videoCoverAt((ms / 1000).toFixed(1))}</span>
        </label>
        <input
          id={id}
          type="range"
          min={0}
          max={length}
          step={STEP_MS}
          value={ms}
          onChange={({ target }) => edit("media", (doc) => ({ ...doc, coverMs: target.valueAsNumber }))}
          className="w-full accent-accent"
        />
      </div>
    </div>
  );
}
