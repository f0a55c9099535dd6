import { CircleAlert, CircleCheck, CirclePause } from "lucide-react";
import type { Schemas } from "@/api/client";
import { accountWords } from "@/strings/accounts";
import { Badge } from "@/ui/parts";

type Platform = Schemas["Platform"];

/** The state of an account, in a word. */
export function AccountBadge({ platform }: { platform: Platform }) {
  if (platform.disabled) {
    return (
      <Badge tone="plain" icon={CirclePause}>
        {accountWords.off}
      </Badge>
    );
  }
  if (platform.refreshNeeded) {
    return (
      <Badge tone="warn" icon={CircleAlert}>
        {accountWords.again}
      </Badge>
    );
  }
  return (
    <Badge tone="good" icon={CircleCheck}>
      {accountWords.ready}
    </Badge>
  );
}

/** The state in a sentence: what it means, and what to do. */
export function standing({ disabled, refreshNeeded }: Platform): string {
  const { ready, again, off, offAgain } = accountWords.states;
  if (disabled) return refreshNeeded ? offAgain : off;
  return refreshNeeded ? again : ready;
}
