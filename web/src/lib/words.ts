/** Identifiers for people: `privacy_level` is "Privacy level". */
export function words(name: string): string {
  const text = name.replaceAll("_", " ").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A value of a setting: words in capitals for people, anything else unchanged. */
export const shownValue = (value: unknown): string => {
  const text = String(value);
  return /^[A-Z][A-Z_]+$/.test(text) ? words(text) : text;
};

/** The service's message about a field, as a sentence: `is no image` is "Is no image." */
export function asSentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(whole) || whole === "" ? whole : `${whole}.`;
}
