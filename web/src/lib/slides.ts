/** Slideshows being edited: slides in order, their appearance, and the requests that create them. */

export const SIZES = ["small", "medium", "large"] as const;
export const POSITIONS = ["top", "middle", "bottom"] as const;
export const STYLES = ["outline", "box", "plain"] as const;
export const FITS = ["cover", "contain"] as const;

/** The appearance of a caption, in the words of the API. */
export interface Look {
  captionSize: (typeof SIZES)[number];
  captionPosition: (typeof POSITIONS)[number];
  captionStyle: (typeof STYLES)[number];
  fit: (typeof FITS)[number];
}

/** One slide. */
export interface Slide extends Look {
  /** Its ID in the browser. */
  key: string;
  mediaId: string;
  /** The picture's name and the address of its preview. */
  name: string;
  thumb: string;
  caption: string;
}

/** A slideshow being edited. */
export interface Draft {
  slides: Slide[];
  /** The target of the finished slides: a folder's ID, `none`, or `with` their pictures. */
  target: string;
  /** The proposed content of the post. */
  content: string;
  /** The idempotency key of each request, by its content: stored before the request is sent. */
  keys: Record<string, string>;
  /** Slides of an incomplete slideshow: media IDs in the order of the request, by its content. */
  partial: Record<string, string[]>;
  /** The same for the slideshow that was last completed. */
  made: Record<string, string[]>;
}

/** The defaults of the service. */
export const USUAL: Look = { captionSize: "medium", captionPosition: "middle", captionStyle: "outline", fit: "cover" };
export const EMPTY: Draft = { slides: [], target: "with", content: "", keys: {}, partial: {}, made: {} };
/** The most slides of one slideshow, and characters (code points) of a caption. */
export const MOST_SLIDES = 35;
export const MOST_CHARACTERS = 500;

const LOOKS = { captionSize: SIZES, captionPosition: POSITIONS, captionStyle: STYLES, fit: FITS } as const;

/** Only the appearance of a slide. */
export const lookOf = ({ captionSize, captionPosition, captionStyle, fit }: Look): Look => ({
  captionSize,
  captionPosition,
  captionStyle,
  fit,
});

/** The inputs of a slide's picture: equal inputs give equal pictures. */
export const pictureOf = (slide: Slide): string => JSON.stringify([slide.mediaId, slide.caption, ...lookList(slide)]);

const lookList = (look: Look) => [look.captionSize, look.captionPosition, look.captionStyle, look.fit];

/** A list with one member moved; a position beyond an end is that end. */
export function reordered<T>(list: readonly T[], from: number, to: number): T[] {
  const place = Math.max(0, Math.min(list.length - 1, to));
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(place, 0, ...list.slice(from, from + 1));
}

/** Slides of one appearance, which one request creates. */
export interface Batch {
  /** The content of the request; equal contents give equal slides. */
  says: string;
  look: Look;
  /** The positions of its slides in the slideshow. */
  places: number[];
}

/** The requests that create a slideshow: the slides of a request have one appearance. */
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

/** The media IDs of a complete slideshow, in order; null while a slide is missing. */
export function finished({ slides, made }: Draft): string[] | null {
  const ids: string[] = [];
  for (const { says, places } of batches(slides)) {
    const of = made[says];
    if (of?.length !== places.length) return null;
    for (const [at, place] of places.entries()) ids[place] = of[at] ?? "";
  }
  return slides.length === 0 ? null : ids;
}

/** Puts proposed captions on slides, in order; if there are more captions, the pictures repeat. */
export function withCaptions(slides: readonly Slide[], captions: readonly string[], newKey: () => string): Slide[] {
  const count = Math.min(MOST_SLIDES, Math.max(slides.length, captions.length));
  return Array.from({ length: slides.length === 0 ? 0 : count }, (_, place) => {
    const slide = slides[place] ?? { ...(slides[place % slides.length] as Slide), key: newKey() };
    return { ...slide, caption: captions[place] ?? slide.caption };
  });
}

/** The number of characters of a caption, as the service counts them. */
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

/** The longest time between two changes that counts as continued typing. */
const TYPING_ON_MS = 200;

/**
 * The delay of a preview, from the calls left and the time since the previous change: none when typing starts; near the
 * limit only pauses are previewed.
 */
export function previewPauseMs(left: number | null, sinceMs: number): number {
  if (left !== null && left <= 30) return left > 10 ? 250 : 900;
  return sinceMs > TYPING_ON_MS ? 0 : 60;
}

/** Parses a stored slideshow; an invalid one is empty. */
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
