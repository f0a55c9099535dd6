import { useSignOut } from "@/api/queries/session";
import { withNext } from "@/lib/next";
import { auth } from "@/strings/auth";
import { tellFailure } from "../problem";

/** Signs out, and returns to this page after the next sign-in. */
export function useAnotherAccount() {
  const signOut = useSignOut();
  const leave = () =>
    signOut.mutate(false, {
      onSuccess: () => location.assign(withNext("/sign-in", location.pathname + location.search)),
      onError: tellFailure,
    });
  return { leave, isLeaving: signOut.isPending };
}

/** The signed-in user, for people who have several accounts. */
export function SignedInAs({ email }: { email: string }) {
  const { leave, isLeaving } = useAnotherAccount();
  return (
    <p className="break-words">
      {auth.signedInAs} {email}.{" "}
      <button
        type="button"
        disabled={isLeaving}
        onClick={leave}
        className="rounded font-medium text-accent underline-offset-4 hover:underline"
      >
        {auth.another}
      </button>
    </p>
  );
}
