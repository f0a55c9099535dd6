import { Link } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { chooseWorkspace } from "@/api/client";
import type { InvitationTo } from "@/api/queries/invitation";
import { useSignUp } from "@/api/queries/session";
import { auth } from "@/strings/auth";
import { invitationWords } from "@/strings/invitation";
import { ui } from "@/strings/ui";
import { Button } from "@/ui/button";
import { Field, PasswordField } from "@/ui/field";
import { filled } from "../auth/sign-up";
import { FormProblem, problemOf } from "../problem";
import { InvitedFrame } from "./frame";

/** Signing up with the invited address; users with an account sign in and return. */
export function JoinAsNew({ token, invitation }: { token: string; invitation: InvitationTo }) {
  const signUp = useSignUp();
  const { email } = invitation;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { password = "", name } = filled(event.currentTarget);
    const body = { email, password, invitation: token, ...(name ? { name } : {}) };
    signUp.mutate(body, {
      onSuccess: ({ organizations }) => {
        const [joined] = organizations;
        if (joined) chooseWorkspace(joined.id);
        location.assign("/");
      },
    });
  };
  return (
    <InvitedFrame invitation={invitation} below={<SignInInstead token={token} />}>
      <form onSubmit={submit} className="grid gap-4" noValidate>
        <FormProblem error={signUp.error} fields={["password", "name"]} />
        {/* For password managers: the user of the password. */}
        <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
        <Field
          label={`${auth.name} (${ui.optional})`}
          name="name"
          autoComplete="name"
          problem={problemOf(signUp.error, "name")}
        />
        <PasswordField
          label={auth.password}
          name="password"
          autoComplete="new-password"
          hint={auth.passwordHint}
          problem={problemOf(signUp.error, "password")}
        />
        <Button kind="primary" type="submit" busy={signUp.isPending}>
          {invitationWords.signUp}
        </Button>
      </form>
    </InvitedFrame>
  );
}

function SignInInstead({ token }: { token: string }) {
  const next = `/accept-invitation?token=${encodeURIComponent(token)}`;
  return (
    <p>
      {invitationWords.here}{" "}
      <Link to="/sign-in" search={{ next }} className="font-medium text-accent underline-offset-4 hover:underline">
        {auth.signIn}
      </Link>
    </p>
  );
}
