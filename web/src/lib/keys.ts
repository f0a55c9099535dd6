/** Keyboard shortcuts: one key, or two after one another. */

/** How long the second key of a pair may take. */
const PATIENCE_MS = 1200;

/** Where keys are text. */
export function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  const name = element?.tagName;
  const isText = name === "INPUT" && !/^(checkbox|radio|button|submit)$/.test((element as HTMLInputElement).type);
  return isText || name === "TEXTAREA" || name === "SELECT" || element?.isContentEditable === true;
}

/** Remembers the key before: answers the shortcut (`c`, `g p`) that a key completes, of those that there are. */
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
