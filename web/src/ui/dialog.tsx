import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { ui } from "@/strings/ui";
import { Button, IconButton } from "./button";

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Wider, for content larger than a form. */
  wide?: boolean;
  /** Without a visible title line. */
  bare?: boolean;
  /** Over nearly the whole window, for media. */
  full?: boolean;
}

/**
 * A dialog. The browser's own element: it keeps the focus inside, closes on Escape, and returns the focus. Its content is
 * mounted each time it opens.
 */
export function Dialog({ open, onClose, title, children, wide = false, bare = false, full = false }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    if (!open || !dialog || dialog.open) return;
    const before = document.activeElement;
    dialog.showModal();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [open]);
  if (!open) return null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the dialog closes it; the keyboard has Escape.
    <dialog
      ref={element}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className={`m-auto w-[calc(100vw-2rem)] overflow-y-auto rounded-2xl border border-line bg-surface p-0 text-ink shadow-raised ${bare ? "mt-[12vh]" : ""} ${full ? "max-h-[96dvh] max-w-[88rem]" : `max-h-[min(44rem,90dvh)] ${wide ? "max-w-2xl" : "max-w-md"}`}`}
    >
      <div className={bare ? "" : "grid gap-4 p-6"}>
        <div className={bare ? "sr-only" : "flex items-start justify-between gap-4"}>
          <h2 id={id} className="font-semibold text-base leading-6">
            {title}
          </h2>
          {!bare && (
            <IconButton label={ui.close} onClick={onClose} className="-mt-1 -mr-2">
              <X aria-hidden className="size-4" />
            </IconButton>
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-2 flex flex-wrap justify-end gap-2">{children}</div>;
}

interface ConfirmProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** What is deleted, by name, and what stays. */
  children: ReactNode;
  /** The button's label: a verb. */
  action: string;
  onConfirm: () => void;
  busy?: boolean;
  /** The object of the question has not loaded yet. */
  disabled?: boolean;
}

/** Asks for confirmation of something that cannot be undone. */
export function Confirm({ open, onClose, title, children, action, onConfirm, busy, disabled }: ConfirmProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <div className="grid gap-2 text-soft">{children}</div>
      <DialogActions>
        <Button onClick={onClose}>{ui.cancel}</Button>
        <Button kind="danger" busy={busy ?? false} disabled={disabled} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
