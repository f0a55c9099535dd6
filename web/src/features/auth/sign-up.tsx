import { Link } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { useSignUp, useSignUpConditions } from "@/api/queries/session";
import { local } from "@/lib/next";
import { auth } from "@/strings/auth";
import { ui } from "@/strings/ui";
import { Button } from "@/ui/button";
import { Field, PasswordField } from "@/ui/field";
import { Notice } from "@/ui/parts";
import { FormProblem, problemOf } from "../problem";
import { AuthFrame } from "./frame";

const FIELDS = ["email", "password", "name", "workspaceName", "setupCode"] as const;

/** The filled-in fields of a form. */
export function filled(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}

/** Signing up: a user and their first workspace. */
export function SignUp({ next }: { next: string | undefined }) {
  const signUp = useSignUp();
  const conditions = useSignUpConditions().data;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { email = "", password = "", ...rest } = filled(event.currentTarget);
    signUp.mutate({ email, password, ...rest }, { onSuccess: () => location.assign(local(next)) });
  };
  const problem = (field: string) => problemOf(signUp.error, field);
  return (
    <AuthFrame
      title={auth.signUp}
      intro={auth.signUpIntro}
      below={
        <p>
          {auth.hereAlready}{" "}
          <Link
            to="/sign-in"
            search={next ? { next } : {}}
            className="font-medium text-accent underline-offset-4 hover:underline"
          >
            {auth.signIn}
          </Link>
        </p>
      }
    >
      <form onSubmit={submit} className="grid gap-4" noValidate>
        <FormProblem error={signUp.error} fields={FIELDS} />
        {conditions && conditions.mode !== "open" && (
          <Notice tone="plain">{conditions.mode === "invite" ? auth.invitedOnly : auth.signUpClosed}</Notice>
        )}
        <Field
          label={auth.email}
          name="email"
          type="email"
          autoComplete="username"
          autoFocus
          problem={problem("email")}
        />
        <PasswordField
          label={auth.password}
          name="password"
          autoComplete="new-password"
          hint={auth.passwordHint}
          problem={problem("password")}
        />
        <Field label={`${auth.name} (${ui.optional})`} name="name" autoComplete="name" problem={problem("name")} />
        <Field
          label={`${auth.workspaceName} (${ui.optional})`}
          name="workspaceName"
          autoComplete="organization"
          hint={auth.workspaceHint}
          problem={problem("workspaceName")}
        />
        {conditions?.setupCodeRequired && (
          <Field
            label={auth.setupCode}
            name="setupCode"
            autoComplete="off"
            hint={auth.setupCodeHint}
            problem={problem("setupCode")}
          />
        )}
        <Button kind="primary" type="submit" busy={signUp.isPending}>
          {auth.signUp}
        </Button>
      </form>
    </AuthFrame>
  );
}
