import type { FormEvent } from "react";
import { type Role, useInvitations, useInvite, useRevokeInvitation } from "@/api/queries/workspace";
import { memberWords } from "@/strings/settings";
import { ui } from "@/strings/ui";
import { Button } from "@/ui/button";
import { Dialog, DialogActions } from "@/ui/dialog";
import { Field, Select } from "@/ui/field";
import { Rows, Section } from "@/ui/page";
import { Moment } from "@/ui/parts";
import { Secret } from "@/ui/secret";
import { toast } from "@/ui/toasts";
import { FormProblem, problemOf, tellFailure } from "../problem";
import { useSession } from "../session";
import { RoleOptions } from "./role-options";

/** The invitations that are not accepted yet. */
export function Invitations() {
  const invitations = useInvitations(true).data?.invitations ?? [];
  const revoke = useRevokeInvitation();
  const takeBack = (id: string) =>
    revoke.mutate(id, { onSuccess: () => toast(memberWords.takenBack), onError: tellFailure });
  if (invitations.length === 0) return null;
  return (
    <Section title={memberWords.invitations}>
      <Rows label={memberWords.invitations}>
        {invitations.map(({ id, email, role, expiresAt }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
            <div className="min-w-44 flex-1">
              <p className="truncate font-medium">{email}</p>
              <p className="text-soft">
                {memberWords.invitedAs(memberWords.roles[role])} · {memberWords.ends} <Moment at={expiresAt} />
              </p>
            </div>
            <Button size="small" onClick={() => takeBack(id)} aria-label={`${memberWords.takeBack} ${email}`}>
              {memberWords.takeBack}
            </Button>
          </li>
        ))}
      </Rows>
    </Section>
  );
}

/** Invites someone by mail. */
export function InviteDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const invite = useInvite();
  const { may } = useSession();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const body = { email: String(form.get("email")), role: String(form.get("role")) as Role };
    invite.mutate(body, {
      onSuccess: ({ email, mailed }) => {
        if (!mailed) return;
        onClose();
        toast(memberWords.sent(email));
      },
    });
  };
  const unsent = invite.data && !invite.data.mailed ? invite.data : null;
  const close = () => {
    invite.reset();
    onClose();
  };
  if (unsent) {
    return (
      <Dialog open={open} onClose={close} title={memberWords.linkTitle(unsent.email)}>
        <Secret secret={unsent.url} words={memberWords.link} onDone={close} />
      </Dialog>
    );
  }
  return (
    <Dialog open={open} onClose={onClose} title={memberWords.invite}>
      <form onSubmit={submit} className="grid gap-4" noValidate>
        <FormProblem error={invite.error} fields={["email", "role"]} />
        <Field
          label={memberWords.email}
          name="email"
          type="email"
          autoFocus
          problem={problemOf(invite.error, "email")}
        />
        <Select
          label={memberWords.role}
          name="role"
          hint={memberWords.roleHint}
          problem={problemOf(invite.error, "role")}
        >
          <RoleOptions withOwner={may("owner")} />
        </Select>
        <DialogActions>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button kind="primary" type="submit" busy={invite.isPending}>
            {memberWords.send}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
