import { WifiOff } from "lucide-react";
import { useSyncExternalStore } from "react";
import { shell } from "@/strings/shell";

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** A notice while there is no connection. */
export function Offline() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  if (isOnline) return null;
  return (
    <p role="status" className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-2 text-warn">
      <WifiOff aria-hidden className="size-4 shrink-0" />
      {shell.offline}
    </p>
  );
}
