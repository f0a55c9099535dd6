import type { ReactNode } from "react";
import type { InvitationTo } from "@/api/queries/invitation";
import { full } from "@/lib/time";
import { invitationWords } from "@/strings/invitation";
import { memberWords } from "@/strings/settings";
import { Fact, Facts } from "@/ui/parts";
import { AuthFrame } from "../auth/frame";

/** The sender, the workspace and the role. */
export function InvitedFrame({
  invitation: { organizationName, email, role, invitedBy, expiresAt },
  children,
  below,
}: {
  invitation: InvitationTo;
  children: ReactNode;
  below?: ReactNode;
}) {
  return (
    <AuthFrame
      title={invitationWords.title(organizationName)}
      intro={invitedBy === null ? invitationWords.byNobody : invitationWords.by(invitedBy)}
      below={below}
    >
      <Facts>
        <Fact name={invitationWords.as}>
          <span className="font-medium">{memberWords.roles[role]}</span>
          <span className="block text-soft">{invitationWords.can[role]}</span>
        </Fact>
        <Fact name={invitationWords.for}>{email}</Fact>
        <Fact name={invitationWords.ends}>{full(expiresAt)}</Fact>
      </Facts>
      {children}
    </AuthFrame>
  );
}
