/** Captions as providers parse them. */

/** A part of a caption: its text, and its kind. */
export interface Piece {
  text: string;
  kind: "plain" | "hashtag" | "mention";
}

/** Marks count at the start of the text or after a space: not in `a#b`. */
const MARKED = /(?<=^|\s)(?:#[\p{L}\p{M}\p{N}_]+|@[\p{L}\p{N}_.]+)/gu;

/** The parts of a caption; joined, they are the caption. */
export function pieces(caption: string): Piece[] {
  const found: Piece[] = [];
  let end = 0;
  for (const { 0: text, index } of caption.matchAll(MARKED)) {
    if (index > end) found.push({ text: caption.slice(end, index), kind: "plain" });
    found.push({ text, kind: text.startsWith("#") ? "hashtag" : "mention" });
    end = index + text.length;
  }
  if (end < caption.length) found.push({ text: caption.slice(end), kind: "plain" });
  return found;
}

/** The length as the provider counts: UTF-16 code units, so an emoji is two or more. */
export const units = (caption: string): number => caption.length;
