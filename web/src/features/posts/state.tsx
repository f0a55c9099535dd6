import { CircleAlert, CircleCheck, CircleX, Clock, type LucideIcon, PencilLine } from "lucide-react";
import type { PostState } from "@/api/queries/posts";
import { postWords } from "@/strings/posts";
import { Badge, type Tone } from "@/ui/parts";

/** The appearance of each state. */
export const LOOKS: Record<PostState, { tone: Tone; icon: LucideIcon }> = {
  DRAFT: { tone: "plain", icon: PencilLine },
  QUEUE: { tone: "info", icon: Clock },
  PUBLISHED: { tone: "good", icon: CircleCheck },
  ACTION_REQUIRED: { tone: "warn", icon: CircleAlert },
  ERROR: { tone: "bad", icon: CircleX },
};

/** All states, in the order in which they are offered. */
export const STATES = Object.keys(LOOKS) as PostState[];

/** The state of a post. */
export function StateBadge({ state }: { state: PostState }) {
  return (
    <Badge {...LOOKS[state]}>
      <span title={postWords.stateHints[state]}>{postWords.states[state]}</span>
    </Badge>
  );
}
