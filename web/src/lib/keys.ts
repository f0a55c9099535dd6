/** Keyboard shortcuts: one key, or two in a row. */

/** The longest time between the keys of a pair. */
const PATIENCE_MS = 1200;

/** Whether keys are text input. */
export function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  const name = element?.tagName;
  const isText = name === "INPUT" && !/^(checkbox|radio|button|submit)$/.test((element as HTMLInputElement).type);
  return isText || name === "TEXTAREA" || name === "SELECT" || element?.isContentEditable === true;
}

/** Matches keys against the shortcuts (`c`, `g p`), and returns the one that a key completes; remembers the previous key. */
export function shortcutReader(shortcuts: readonly string[]): (key: string, at: number) => string | null {
  let last = { key: "", at: Number.NEGATIVE_INFINITY };
  return (key, at) => {
    const pair = `${last.key} ${key}`;
    const isPair = at - last.at <= PATIENCE_MS && shortcuts.includes(pair);
    last = isPair ? { key: "", at } : { key, at };
    if (isPair) return pair;
    return shortcuts.includes(key) ? key : null;
  };
}
