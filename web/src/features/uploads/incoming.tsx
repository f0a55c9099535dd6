import { Upload } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { isTyping } from "@/lib/keys";
import { bringsFiles, type Found, filesOf } from "./files";

/** Handles files that are dropped anywhere on the page or pasted; returns whether files are dragged over it. */
export function useIncomingFiles(take: (found: Found[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    // Each `dragenter` has a `dragleave`: the drag has left the page when all have.
    let depth = 0;
    const handOn = (data: DataTransfer) => void filesOf(data).then((found) => latest.current(found));
    const drag = (event: DragEvent) => {
      if (!bringsFiles(event.dataTransfer)) return;
      event.preventDefault();
      if (event.type === "dragenter") depth += 1;
      if (event.type === "dragleave") depth -= 1;
      if (event.type === "drop") depth = 0;
      setOver(depth > 0);
      if (event.type === "drop" && event.dataTransfer) handOn(event.dataTransfer);
    };
    const paste = (event: ClipboardEvent) => {
      if (isTyping(event.target) || !event.clipboardData || !bringsFiles(event.clipboardData)) return;
      event.preventDefault();
      handOn(event.clipboardData);
    };
    const drags = ["dragenter", "dragover", "dragleave", "drop"] as const;
    for (const name of drags) window.addEventListener(name, drag);
    window.addEventListener("paste", paste);
    return () => {
      for (const name of drags) window.removeEventListener(name, drag);
      window.removeEventListener("paste", paste);
    };
  }, []);
  return isOver;
}

/** The overlay while files are dragged over the page. */
export function DropCurtain({ text }: { text: string }) {
  return (
    <div className="pointer-events-none fixed inset-0 z-50 grid place-items-center bg-[var(--backdrop)] p-6">
      <p className="rises flex items-center gap-3 rounded-2xl border-2 border-accent border-dashed bg-surface px-8 py-6 font-semibold text-base shadow-raised">
        <Upload aria-hidden className="size-5 text-accent" />
        {text}
      </p>
    </div>
  );
}
