import { Link } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { ApiError } from "@/api/client";
import { useForgotPassword, useResetPassword } from "@/api/queries/session";
import { auth } from "@/strings/auth";
import { Button, buttonClass } from "@/ui/button";
import { Field, PasswordField } from "@/ui/field";
import { FormProblem, problemOf } from "../problem";
import { AuthFrame } from "./frame";

const toSignIn = (
  <Link to="/sign-in" className="font-medium text-accent underline-offset-4 hover:underline">
    {auth.signIn}
  </Link>
);

/** Requests a reset link. The response is the same whether or not the address has a user. */
export function Forgot() {
  const forgot = useForgotPassword();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    forgot.mutate({ email: String(new FormData(event.currentTarget).get("email")) });
  };
  if (forgot.isSuccess) {
    return (
      <AuthFrame title={auth.sentTitle} below={toSignIn}>
        <p role="status">{auth.sentText}</p>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title={auth.forgotTitle} intro={auth.forgotIntro} below={toSignIn}>
      <form onSubmit={submit} className="grid gap-4" noValidate>
        <FormProblem error={forgot.error} fields={["email"]} />
        <Field
          label={auth.email}
          name="email"
          type="email"
          autoComplete="username"
          autoFocus
          problem={problemOf(forgot.error, "email")}
        />
        <Button kind="primary" type="submit" busy={forgot.isPending}>
          {auth.send}
        </Button>
      </form>
    </AuthFrame>
  );
}

/** Sets a new password with the token of the mail's link. */
export function Reset({ token }: { token: string }) {
  const reset = useResetPassword();
  const isUnusable =
    reset.error instanceof ApiError && (reset.error.status === 404 || reset.error.problems.has("token"));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    reset.mutate({ token, password: String(new FormData(event.currentTarget).get("password")) });
  };
  if (reset.isSuccess) {
    return (
      <AuthFrame title={auth.doneTitle} intro={auth.doneText}>
        <Link to="/sign-in" className={buttonClass("primary")}>
          {auth.signIn}
        </Link>
      </AuthFrame>
    );
  }
  if (isUnusable || token === "") {
    return (
      <AuthFrame title={auth.badLinkTitle} intro={auth.badLinkText} below={toSignIn}>
        <Link to="/forgot-password" className={buttonClass("primary")}>
          {auth.anotherLink}
        </Link>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title={auth.resetTitle} below={toSignIn}>
      <form onSubmit={submit} className="grid gap-4" noValidate>
        <FormProblem error={reset.error} fields={["password"]} />
        <PasswordField
          label={auth.newPassword}
          name="password"
          autoComplete="new-password"
          autoFocus
          hint={auth.resetHint}
          problem={problemOf(reset.error, "password")}
        />
        <Button kind="primary" type="submit" busy={reset.isPending}>
          {auth.save}
        </Button>
      </form>
    </AuthFrame>
  );
}
