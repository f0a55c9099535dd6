import { AudioLines, Bookmark, Heart, MessageCircle, Share2, UserRound } from "lucide-react";
import { useState } from "react";
import type { Slide } from "@/lib/slides";
import { slideWords } from "@/strings/slides";
import { Button } from "@/ui/button";
import { useLivePreview } from "./previews";

/** The preview of the slide, optionally with the overlay of the provider's app. */
export function Stage({ slide, place, count }: { slide: Slide; place: number; count: number }) {
  const { drawn, isFresh } = useLivePreview(slide);
  const [showsSafe, setShowsSafe] = useState(false);
  const name = `${slideWords.slide(place + 1, count)}${slide.caption && slideWords.withCaption(slide.caption)}`;
  return (
    <div className="grid justify-items-center gap-4 lg:sticky lg:top-6">
      <div
        aria-busy={!isFresh}
        className="relative aspect-[9/16] w-[min(100%,calc(46dvh*9/16))] overflow-hidden rounded-3xl bg-sunken shadow-raised lg:w-[min(100%,calc((100dvh-12.5rem)*9/16))]"
      >
        <img
          src={drawn?.url ?? slide.thumb}
          alt={name}
          data-fresh={isFresh}
          className="absolute inset-0 size-full object-cover"
        />
        {showsSafe && <Covered />}
      </div>
      <div className="flex items-center gap-4">
        <p className="text-soft tabular-nums">{slideWords.slide(place + 1, count)}</p>
        <Button
          size="small"
          aria-pressed={showsSafe}
          onClick={() => setShowsSafe(!showsSafe)}
          className="aria-pressed:border-accent aria-pressed:text-accent"
        >
          {slideWords.safe}
        </Button>
      </div>
    </div>
  );
}

const ICON = "size-[1.6em] drop-shadow";

/**
 * The overlay of the provider's app, at its real position. Captions stay in the free area: of 1080 by 1920 pixels, from 120
 * to 960 and from 80 to 1470.
 */
function Covered() {
  return (
    <div aria-hidden className="absolute inset-0 text-[length:clamp(0.7rem,1.9dvh,1rem)] text-on-veil">
      <div className="absolute inset-x-0 top-0 h-[4.17%] bg-veil" />
      <div className="absolute inset-x-0 bottom-0 h-[23.44%] bg-veil" />
      <div className="absolute top-[4.17%] bottom-[23.44%] left-0 w-[11.11%] bg-veil" />
      <div className="absolute top-[4.17%] right-0 bottom-[23.44%] w-[11.11%] bg-veil" />
      <div className="absolute top-[4.17%] right-[11.11%] bottom-[23.44%] left-[11.11%] rounded-sm border border-on-veil border-dashed" />
      <div className="absolute right-[2%] bottom-[25%] grid justify-items-center gap-[1.1em]">
        <UserRound className={ICON} />
        <Heart className={ICON} />
        <MessageCircle className={ICON} />
        <Bookmark className={ICON} />
        <Share2 className={ICON} />
      </div>
      <div className="absolute inset-x-[5%] bottom-[4%] grid gap-[0.7em]">
        <span className="h-[0.8em] w-1/3 rounded-full bg-on-veil opacity-80" />
        <span className="h-[0.6em] w-3/4 rounded-full bg-on-veil opacity-60" />
        <span className="h-[0.6em] w-1/2 rounded-full bg-on-veil opacity-60" />
        <AudioLines className={ICON} />
      </div>
    </div>
  );
}
