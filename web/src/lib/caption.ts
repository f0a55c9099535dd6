/** Captions as providers read them. */

/** A part of a caption: what it says, and what it is taken for. */
export interface Piece {
  text: string;
  kind: "plain" | "hashtag" | "mention";
}

/** Marks count where they begin the text or follow a space: `a#b` is none. */
const MARKED = /(?<=^|\s)(?:#[\p{L}\p{M}\p{N}_]+|@[\p{L}\p{N}_.]+)/gu;

/** A caption in pieces; together they are the caption. */
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
