import { useCallback, useRef, useState } from "react";

/** A post whose card is open, and its element. */
interface Opened {
  id: string;
  element: HTMLElement;
}

/** The post whose card is open. A click beside it only closes it. `onInput` is called for every key and press. */
export function useOpened(onInput: () => void) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const pressed = useRef<Opened | null>(null);
  const open = useCallback((id: string, element: HTMLElement) => {
    if (pressed.current?.id !== id) setOpened({ id, element });
  }, []);
  return {
    opened,
    open,
    close: useCallback(() => setOpened(null), []),
    /** Whether a card was open when the pointer was pressed: then the click only closes it. */
    isClosing: () => pressed.current !== null,
    /** For an element around everything that can be clicked. */
    watch: {
      onPointerDownCapture: () => {
        pressed.current = opened;
        onInput();
      },
      onKeyDownCapture: () => {
        pressed.current = null;
        onInput();
      },
    },
  };
}
