import { Check, CloudOff, HardDrive, Loader2, type LucideIcon, TriangleAlert } from "lucide-react";
import { keptWords } from "@/strings/compose";
import { isQueued } from "./composition";
import { useComposing } from "./use-composition";

const WORDS = keptWords.states;

/** Where the composition is saved: in the service, or only in this browser. */
export function KeptStatus() {
  const { icon: Icon, text, spins = false, tone } = useStanding();
  return (
    // Only problems are announced: "saving" and "saved" would be announced at every pause.
    <p
      aria-live={tone ? "polite" : "off"}
      className={`flex min-w-0 items-center gap-1.5 text-[0.8125rem] ${tone ?? "text-soft"}`}
    >
      <Icon aria-hidden className={`size-3.5 shrink-0 ${spins ? "animate-spin" : ""}`} />
      <span className="min-w-0">{text}</span>
    </p>
  );
}

interface Standing {
  icon: LucideIcon;
  text: string;
  spins?: boolean;
  tone?: string;
}

function useStanding(): Standing {
  const { doc, saving, kept, troubles } = useComposing();
  const count = Object.keys(doc.posts).length;
  const kinds = new Set([...troubles.values()].map(({ kind }) => kind));
  if (!kept && doc.unsaved) return { icon: TriangleAlert, text: WORDS.notKept, tone: "text-bad" };
  if (saving) return { icon: Loader2, text: WORDS.saving, spins: true };
  if (kinds.has("unreachable")) return { icon: CloudOff, text: WORDS.offline, tone: "text-warn" };
  if (kinds.size > 0) return { icon: TriangleAlert, text: WORDS.attention, tone: "text-warn" };
  if (isQueued(doc))
    return doc.unsaved ? { icon: HardDrive, text: WORDS.queuedChanged } : { icon: Check, text: WORDS.queued };
  if (doc.unsaved) {
    const isComplete = doc.content !== "" && doc.accounts.length > 0;
    return isComplete ? { icon: Loader2, text: WORDS.saving, spins: true } : { icon: HardDrive, text: WORDS.here };
  }
  if (count === 0) return { icon: Check, text: WORDS.empty };
  return { icon: Check, text: count === 1 ? WORDS.saved : WORDS.savedMany(count) };
}
