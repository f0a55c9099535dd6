import { useSignOut } from "@/api/queries/session";
import { withNext } from "@/lib/next";
import { auth } from "@/strings/auth";
import { tellFailure } from "../problem";

/** Signs out, and comes back to this very page as whoever signs in then. */
export function useAnotherAccount() {
  const signOut = useSignOut();
  const leave = () =>
    signOut.mutate(false, {
      onSuccess: () => location.assign(withNext("/sign-in", location.pathname + location.search)),
      onError: tellFailure,
    });
  return { leave, isLeaving: signOut.isPending };
}

/** Who it is that decides here, for those who have several accounts. */
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
