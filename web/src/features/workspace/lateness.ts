/** What a workspace can want done with overdue posts, as the choices of a list. */
import type { Schemas } from "@/api/client";
import { workspaceWords } from "@/strings/settings";

/** Null: overdue posts are always published. */
export type LatenessPolicy = Schemas["Organization"]["latenessPolicy"];

const HOURS = [1, 3, 6, 12, 24, 48, 72, 168];
const NEVER = "never";

/** The choices in order, the present one among them: the API takes any number of hours. */
export function latenessChoices(present: LatenessPolicy): LatenessPolicy[] {
  const hours = new Set(present ? [...HOURS, present.askAfterHours] : HOURS);
  const asking = [...hours].toSorted((a, b) => a - b).map((askAfterHours) => ({ askAfterHours }));
  return [...asking, null];
}

/** The value of a choice in the list. */
export const optionOf = (policy: LatenessPolicy): string => (policy ? String(policy.askAfterHours) : NEVER);

/** The choice of that value. */
export const policyOf = (value: string): LatenessPolicy => (value === NEVER ? null : { askAfterHours: Number(value) });

/** A choice in words: in days from two days on, where they are whole. */
export function labelOf(policy: LatenessPolicy): string {
  if (!policy) return workspaceWords.always;
  const { askAfterHours: hours } = policy;
  const isDays = hours > 24 && hours % 24 === 0;
  return workspaceWords.lateBy(isDays ? workspaceWords.days(hours / 24) : workspaceWords.hours(hours));
}
