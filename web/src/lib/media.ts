/** Properties of media objects in words. */

/** `0:07`, `2:30`, `1:05:00`; empty for pictures. */
export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return "";
  const seconds = Math.max(1, Math.round(ms / 1000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

const CODECS: Record<string, string> = {
  h264: "H.264",
  hevc: "H.265",
  h265: "H.265",
  av1: "AV1",
  vp8: "VP8",
  vp9: "VP9",
  aac: "AAC",
  opus: "Opus",
  vorbis: "Vorbis",
  mp3: "MP3",
};

/** A codec's usual name. */
export const codec = (name: string): string => CODECS[name.toLowerCase()] ?? name;

/** The composer's address with these media in order. */
export function composeWith(ids: readonly string[]): string {
  return `/compose?${new URLSearchParams(ids.map((id) => ["media", id])).toString()}`;
}

/** The position after a key, in rows of `columns`; null if the key does not move it. */
export function stepped(key: string, from: number, count: number, columns: number): number | null {
  const steps: Record<string, number> = {
    ArrowLeft: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from - columns,
    ArrowDown: from + columns,
    Home: 0,
    End: count - 1,
  };
  const to = steps[key];
  return to === undefined || to < 0 || to >= count ? null : to;
}

/** The members of a list between two of them, inclusive. */
export function between<T>(list: readonly T[], a: T, b: T): T[] {
  const [first, last] = [list.indexOf(a), list.indexOf(b)].toSorted((x, y) => x - y);
  return first === undefined || last === undefined || first < 0 ? [b] : list.slice(first, last + 1);
}
