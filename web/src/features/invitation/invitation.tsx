import { Link } from "@tanstack/react-router";
import { ApiError, chooseWorkspace } from "@/api/client";
import { type InvitationTo, useAcceptInvitation, useInvitation } from "@/api/queries/invitation";
import { useMe } from "@/api/queries/session";
import { auth } from "@/strings/auth";
import { invitationWords } from "@/strings/invitation";
import { Button, buttonClass } from "@/ui/button";
import { ErrorState, Skeleton } from "@/ui/page";
import { Notice } from "@/ui/parts";
import { AuthFrame } from "../auth/frame";
import { SignedInAs, useAnotherAccount } from "../auth/signed-in-as";
import { FormProblem, told } from "../problem";
import { InvitedFrame } from "./frame";
import { JoinAsNew } from "./join-as-new";

/** The page of an invitation's link: signed-in users join, others sign up or in. */
export function AcceptInvitation({ token }: { token: string }) {
  const invitation = useInvitation(token);
  const me = useMe();
  const failure = invitation.error ?? strangeness(me.error);
  if (token === "" || isUnusable(invitation.error)) return <Unusable />;
  if (failure) {
    const again = () => void (invitation.error ? invitation.refetch() : me.refetch());
    return (
      <AuthFrame title={invitationWords.loading}>
        <ErrorState {...told(failure)} onRetry={again} />
      </AuthFrame>
    );
  }
  if (!invitation.data || me.isPending) {
    return (
      <AuthFrame title={invitationWords.loading}>
        <Skeleton rows={2} />
      </AuthFrame>
    );
  }
  const email = me.data?.user.email;
  if (email === undefined) return <JoinAsNew token={token} invitation={invitation.data} />;
  if (email !== invitation.data.email) return <ForAnother invitation={invitation.data} email={email} />;
  return <Join token={token} invitation={invitation.data} />;
}

/** Being signed out is no error here. */
const strangeness = (error: unknown): unknown => (error instanceof ApiError && error.status === 401 ? null : error);

/** The invitation does not exist, or has ended. */
const isUnusable = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === "not_found" || error.code === "invalid_request");

function Unusable() {
  return (
    <AuthFrame title={invitationWords.badTitle} intro={invitationWords.badText}>
      <Link to="/" className={buttonClass()}>
        {auth.toHome}
      </Link>
    </AuthFrame>
  );
}

function Join({ token, invitation }: { token: string; invitation: InvitationTo }) {
  const accept = useAcceptInvitation();
  const join = () =>
    accept.mutate(token, {
      onSuccess: ({ id }) => {
        chooseWorkspace(id);
        location.assign("/");
      },
    });
  if (isUnusable(accept.error)) return <Unusable />;
  return (
    <InvitedFrame invitation={invitation} below={<SignedInAs email={invitation.email} />}>
      <FormProblem error={accept.error} fields={[]} />
      <Button kind="primary" className="h-auto min-h-9 whitespace-normal py-2" busy={accept.isPending} onClick={join}>
        {invitationWords.join(invitation.organizationName)}
      </Button>
    </InvitedFrame>
  );
}

function ForAnother({ invitation, email }: { invitation: InvitationTo; email: string }) {
  const { leave, isLeaving } = useAnotherAccount();
  return (
    <InvitedFrame invitation={invitation}>
      <Notice tone="warn">
        <p className="break-words">{invitationWords.other(invitation.email, email)}</p>
      </Notice>
      <Button kind="primary" busy={isLeaving} onClick={leave}>
        {invitationWords.otherAction}
      </Button>
    </InvitedFrame>
  );
}
