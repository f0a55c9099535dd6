import { Link } from "@tanstack/react-router";
import type { FormEvent } from "react";
import type { Schemas } from "@/api/client";
import { useUpdateMe } from "@/api/queries/session";
import { profileWords } from "@/strings/settings";
import { Button, buttonClass } from "@/ui/button";
import { Field, PasswordField } from "@/ui/field";
import { Page, Section } from "@/ui/page";
import { toast } from "@/ui/toasts";
import { FormProblem, problemOf } from "../problem";
import { useSession } from "../session";

/** Name and address of the signed-in user. */
export function Profile() {
  const { me } = useSession();
  if (!me) return null;
  return (
    <Page title={profileWords.title}>
      <Name user={me.user} />
      <Email me={me} />
      <Section title={profileWords.security} intro={profileWords.securityText}>
        <Link to="/settings/security" className={buttonClass()}>
          {profileWords.toSecurity}
        </Link>
      </Section>
    </Page>
  );
}

/** The part of a change that may be pending. */
type Changed = Pick<Schemas["Me"], "pendingEmail">;

const FORM = "grid max-w-md gap-4";

/** Sends a form's filled fields, and clears the form if they are secret. */
function useForm(done: (me: Changed) => string) {
  const update = useUpdateMe();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const body: Schemas["UpdateMe"] = Object.fromEntries(
      [...new FormData(form)]
        .map(([name, value]) => [name, String(value)])
        .filter(([name, value]) => name !== "code" || value),
    );
    const onSuccess = (me: Changed) => {
      toast(done(me));
      if (body.currentPassword !== undefined) form.reset();
    };
    update.mutate(body, { onSuccess });
  };
  return { update, submit, problem: (field: string) => problemOf(update.error, field) };
}

function Name({ user }: { user: Schemas["User"] }) {
  const { update, submit, problem } = useForm(() => profileWords.saved);
  return (
    <Section title={profileWords.you}>
      <form onSubmit={submit} className={FORM} noValidate>
        <FormProblem error={update.error} fields={["name"]} />
        <Field
          label={profileWords.name}
          name="name"
          autoComplete="name"
          defaultValue={user.name ?? ""}
          problem={problem("name")}
        />
        <div>
          <Button type="submit" busy={update.isPending}>
            {profileWords.save}
          </Button>
        </div>
      </form>
    </Section>
  );
}

function Email({ me: { user, pendingEmail, secondFactor } }: { me: Schemas["Me"] }) {
  const done = ({ pendingEmail }: Changed) =>
    pendingEmail ? profileWords.changeAsked(pendingEmail) : profileWords.saved;
  const { update, submit, problem } = useForm(done);
  return (
    <Section title={profileWords.email} intro={user.email}>
      {pendingEmail && <p className="mb-4 text-soft">{profileWords.pending(pendingEmail)}</p>}
      <form onSubmit={submit} className={FORM} noValidate>
        <FormProblem error={update.error} fields={["email", "currentPassword", "code"]} />
        <Field
          label={profileWords.newEmail}
          name="email"
          type="email"
          autoComplete="email"
          problem={problem("email")}
        />
        <PasswordField
          label={profileWords.present}
          name="currentPassword"
          autoComplete="current-password"
          problem={problem("currentPassword")}
        />
        {secondFactor && (
          <Field
            label={profileWords.code}
            name="code"
            autoComplete="one-time-code"
            hint={profileWords.codeHint}
            problem={problem("code")}
          />
        )}
        <div>
          <Button type="submit" busy={update.isPending}>
            {profileWords.changeEmail}
          </Button>
        </div>
      </form>
    </Section>
  );
}
