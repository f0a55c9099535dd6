import { X } from "lucide-react";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { ui } from "@/strings/ui";
import { Button, IconButton } from "./button";

interface Toast {
  id: number;
  text: string;
  kind: "said" | "failed";
  undo: (() => void) | undefined;
}

const STAYS_MS = 6_000;
const STAYS_WITH_UNDO_MS = 10_000;

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const MOST = 3;

function add(toast: Omit<Toast, "id">): void {
  change([...toasts, { ...toast, id: nextId++ }].slice(-MOST));
}

/** Reports that something was done; `undo` adds a button. */
export const toast = (text: string, undo?: () => void): void => add({ text, kind: "said", undo });

/** Reports that something failed; `undo` adds a button for the part that succeeded. */
export const toastFailure = (text: string, undo?: () => void): void => add({ text, kind: "failed", undo });

const dismiss = (id: number) => change(toasts.filter((toast) => toast.id !== id));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The last result, at the bottom of the page. Screen readers announce it; it takes no focus, and stays while it is pointed
 * at.
 */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <section
      aria-label={ui.notices}
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-[calc(5rem+var(--tray,0px))] z-50 flex flex-col items-center gap-2 md:inset-x-auto md:right-6 md:bottom-[calc(1.5rem+var(--tray,0px))] md:items-end"
    >
      {shown.map((toast) => (
        <Card key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function Card({ toast }: { toast: Toast }) {
  const held = useRef(false);
  useEffect(() => {
    const stays = toast.undo ? STAYS_WITH_UNDO_MS : STAYS_MS;
    let timer = setTimeout(function end() {
      if (held.current) timer = setTimeout(end, 1_000);
      else dismiss(toast.id);
    }, stays);
    return () => clearTimeout(timer);
  }, [toast]);
  const hold = (now: boolean) => () => {
    held.current = now;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only makes it stay.
    <div
      onPointerEnter={hold(true)}
      onPointerLeave={hold(false)}
      onFocus={hold(true)}
      onBlur={hold(false)}
      className="rises pointer-events-auto flex max-w-md items-center gap-2 rounded-xl border border-line bg-surface py-2 pr-2 pl-4 shadow-raised"
    >
      <p className={`min-w-0 flex-1 ${toast.kind === "failed" ? "text-bad" : ""}`}>{toast.text}</p>
      {toast.undo && (
        <Button
          size="small"
          kind="ghost"
          className="text-accent"
          onClick={() => {
            toast.undo?.();
            dismiss(toast.id);
          }}
        >
          {ui.undo}
        </Button>
      )}
      <IconButton label={ui.dismiss} onClick={() => dismiss(toast.id)}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
}
