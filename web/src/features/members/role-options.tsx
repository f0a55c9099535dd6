import type { Role } from "@/api/queries/workspace";
import { memberWords } from "@/strings/settings";

/** The roles that can be given: none above the user's own. */
export function RoleOptions({ withOwner }: { withOwner: boolean }) {
  const roles: Role[] = withOwner ? ["member", "admin", "owner"] : ["member", "admin"];
  return roles.map((role) => (
    <option key={role} value={role}>
      {memberWords.roles[role]}
    </option>
  ));
}
