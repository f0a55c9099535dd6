import { useCallback, useRef, useState } from "react";

/** A post that is shown in short, and the element beside which it is. */
interface Opened {
  id: string;
  element: HTMLElement;
}

/** Which post is shown in short. A click beside it only closes it. `onInput` is told of every key and press. */
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
    /** Whether something was open when the pointer went down: a click then means nothing else. */
    isClosing: () => pressed.current !== null,
    /** For an element around all that can be clicked. */
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
