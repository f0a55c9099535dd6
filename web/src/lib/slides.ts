/** Slideshows as they are worked on: slides in their order, how each looks, and what of that the service is asked for. */

export const SIZES = ["small", "medium", "large"] as const;
export const POSITIONS = ["top", "middle", "bottom"] as const;
export const STYLES = ["outline", "box", "plain"] as const;
export const FITS = ["cover", "contain"] as const;

/** How a caption stands on its slide, in the words of the API. */
export interface Look {
  captionSize: (typeof SIZES)[number];
  captionPosition: (typeof POSITIONS)[number];
  captionStyle: (typeof STYLES)[number];
  fit: (typeof FITS)[number];
}

/** One slide. */
export interface Slide extends Look {
  /** Names it here. */
  key: string;
  mediaId: string;
  /** What the picture is called, and where a small copy of it is. */
  name: string;
  thumb: string;
  caption: string;
}

/** A slideshow that is worked on. */
export interface Draft {
  slides: Slide[];
  /** Where the finished slides go: a folder's ID, `none`, or `with` their pictures. */
  target: string;
  /** What was proposed to be said beside the post. */
  content: string;
  /** The idempotency key of each request, by what it asks for: noted before it is made. */
  keys: Record<string, string>;
  /** Slides of a slideshow that is not complete: media IDs in the order of the request, by what it asked for. */
  partial: Record<string, string[]>;
  /** The same of the slideshow that was last completed. */
  made: Record<string, string[]>;
}

/** As the service has it where nothing is said. */
export const USUAL: Look = { captionSize: "medium", captionPosition: "middle", captionStyle: "outline", fit: "cover" };
export const EMPTY: Draft = { slides: [], target: "with", content: "", keys: {}, partial: {}, made: {} };
/** The most slides of one slideshow, and characters (code points) of a caption. */
export const MOST_SLIDES = 35;
export const MOST_CHARACTERS = 500;

const LOOKS = { captionSize: SIZES, captionPosition: POSITIONS, captionStyle: STYLES, fit: FITS } as const;

/** A slide's look alone. */
export const lookOf = ({ captionSize, captionPosition, captionStyle, fit }: Look): Look => ({
  captionSize,
  captionPosition,
  captionStyle,
  fit,
});

/** What a slide's picture depends on: two slides with the same are drawn alike. */
export const pictureOf = (slide: Slide): string => JSON.stringify([slide.mediaId, slide.caption, ...lookList(slide)]);

const lookList = (look: Look) => [look.captionSize, look.captionPosition, look.captionStyle, look.fit];

/** A list with one of its members elsewhere; a place beyond an end is that end. */
export function reordered<T>(list: readonly T[], from: number, to: number): T[] {
  const place = Math.max(0, Math.min(list.length - 1, to));
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(place, 0, ...list.slice(from, from + 1));
}

/** Slides of one look: what one request makes. */
export interface Batch {
  /** What it asks for; the same text, the same slides. */
  says: string;
  look: Look;
  /** Where its slides are in the slideshow. */
  places: number[];
}

/** The requests that make a slideshow: a request's slides all look alike. */
export function batches(slides: readonly Slide[]): Batch[] {
  const places = new Map<string, number[]>();
  for (const [place, slide] of slides.entries()) {
    const look = JSON.stringify(lookList(slide));
    places.set(look, [...(places.get(look) ?? []), place]);
  }
  return [...places.values()].flatMap((places) => {
    const of = places.flatMap((place) => slides[place] ?? []);
    const first = of[0];
    return first ? [{ says: JSON.stringify(of.map(pictureOf)), look: lookOf(first), places }] : [];
  });
}

/** The media IDs of a slideshow that is complete as it stands, in its order; null while any of it is still to be made. */
export function finished({ slides, made }: Draft): string[] | null {
  const ids: string[] = [];
  for (const { says, places } of batches(slides)) {
    const of = made[says];
    if (of?.length !== places.length) return null;
    for (const [at, place] of places.entries()) ids[place] = of[at] ?? "";
  }
  return slides.length === 0 ? null : ids;
}

/** Puts proposed captions on slides: one for each in turn; where there are more captions, the pictures repeat. */
export function withCaptions(slides: readonly Slide[], captions: readonly string[], newKey: () => string): Slide[] {
  const count = Math.min(MOST_SLIDES, Math.max(slides.length, captions.length));
  return Array.from({ length: slides.length === 0 ? 0 : count }, (_, place) => {
    const slide = slides[place] ?? { ...(slides[place % slides.length] as Slide), key: newKey() };
    return { ...slide, caption: captions[place] ?? slide.caption };
  });
}

/** How many characters a caption has, as the service counts them. */
export const characters = (caption: string): number => [...caption].length;

/** The characters that no font has, from the header of a preview: `U+E000 U+A66E` is "U+E000, ꙮ (U+A66E)". */
export function missing(header: string | null): string {
  const points = header?.match(/U\+[0-9A-F]{4,6}/g) ?? [];
  return points.map(shownPoint).join(", ");
}

function shownPoint(point: string): string {
  const value = Number.parseInt(point.slice(2), 16);
  const character = value <= 0x10ffff ? String.fromCodePoint(value) : "";
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) ? `${character} (${point})` : point;
}

/** How soon one change must follow another to be typing on. */
const TYPING_ON_MS = 200;

/**
 * How long a preview waits, by how many calls are left and how long ago the change before was: not at all when somebody
 * begins to type; close to the limit only pauses are previewed.
 */
export function previewPauseMs(left: number | null, sinceMs: number): number {
  if (left !== null && left <= 30) return left > 10 ? 250 : 900;
  return sinceMs > TYPING_ON_MS ? 0 : 60;
}

/** Reads a slideshow that was kept; what is none is an empty one. */
export function readDraft(text: string | null): Draft {
  try {
    const found = JSON.parse(text ?? "{}") as Partial<Draft>;
    const slides = Array.isArray(found.slides) ? found.slides.filter(isSlide) : [];
    return {
      slides: slides.slice(0, MOST_SLIDES),
      target: typeof found.target === "string" ? found.target : EMPTY.target,
      content: typeof found.content === "string" ? found.content : "",
      keys: isRecord(found.keys) ? found.keys : {},
      partial: isRecord(found.partial) ? found.partial : {},
      made: isRecord(found.made) ? found.made : {},
    };
  } catch {
    return EMPTY;
  }
}

const isRecord = <T>(value: Record<string, T> | undefined): value is Record<string, T> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isSlide(one: unknown): one is Slide {
  const slide = one as Partial<Slide> | null;
  const texts = [slide?.key, slide?.mediaId, slide?.name, slide?.thumb, slide?.caption];
  const hasLook = Object.entries(LOOKS).every(([name, values]) =>
    (values as readonly unknown[]).includes(slide?.[name as keyof Look]),
  );
  return texts.every((text) => typeof text === "string") && hasLook;
}
