import { Hourglass } from "lucide-react";
import { useIsWaiting } from "@/api/patience";
import { shell } from "@/strings/shell";

/** A notice while requests wait for a rate limit. They continue automatically. */
export function Waiting() {
  const isWaiting = useIsWaiting();
  return (
    <div role="status" className="pointer-events-none fixed inset-x-4 top-4 z-50 flex justify-center">
      {isWaiting && (
        <p className="rises flex max-w-md items-center gap-2 rounded-xl border border-line bg-surface px-4 py-2 shadow-raised">
          <Hourglass aria-hidden className="size-4 shrink-0 text-soft" />
          {shell.waiting}
        </p>
      )}
    </div>
  );
}
