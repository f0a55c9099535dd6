import { MailWarning } from "lucide-react";
import { useSendVerification } from "@/api/queries/session";
import { shell } from "@/strings/shell";
import { Button } from "@/ui/button";
import { toast } from "@/ui/toasts";
import { tellFailure } from "../problem";
import { useSession } from "../session";

/** Asks the user to verify their address while something requires it. */
export function ConfirmAddress() {
  const { me } = useSession();
  const send = useSendVerification();
  if (!me?.emailVerificationRequired || me.emailVerified) return null;
  const email = me.pendingEmail ?? me.user.email;
  const again = () => send.mutate(undefined, { onSuccess: () => toast(shell.sentAgain(email)), onError: tellFailure });
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 bg-warn-soft px-4 py-2 text-warn"
    >
      <p className="flex items-center gap-2">
        <MailWarning aria-hidden className="size-4 shrink-0" />
        {shell.confirmAddress(email)}
      </p>
      <Button size="small" busy={send.isPending} onClick={again}>
        {shell.sendAgain}
      </Button>
    </div>
  );
}
