/** The rules for overdue posts, as options of a list. */
import type { Schemas } from "@/api/client";
import { workspaceWords } from "@/strings/settings";

/** Null: overdue posts are always published. */
export type LatenessPolicy = Schemas["Organization"]["latenessPolicy"];

const HOURS = [1, 3, 6, 12, 24, 48, 72, 168];
const NEVER = "never";

/** The options in order, including the present one: the API accepts any number of hours. */
export function latenessChoices(present: LatenessPolicy): LatenessPolicy[] {
  const hours = new Set(present ? [...HOURS, present.askAfterHours] : HOURS);
  const asking = [...hours].toSorted((a, b) => a - b).map((askAfterHours) => ({ askAfterHours }));
  return [...asking, null];
}

/** The value of an option in the list. */
export const optionOf = (policy: LatenessPolicy): string => (policy ? String(policy.askAfterHours) : NEVER);

/** The policy of an option. */
export const policyOf = (value: string): LatenessPolicy => (value === NEVER ? null : { askAfterHours: Number(value) });

/** The label of an option: in days from two days on, if they are whole. */
export function labelOf(policy: LatenessPolicy): string {
  if (!policy) return workspaceWords.always;
  const { askAfterHours: hours } = policy;
  const isDays = hours > 24 && hours % 24 === 0;
  return workspaceWords.lateBy(isDays ? workspaceWords.days(hours / 24) : workspaceWords.hours(hours));
}
