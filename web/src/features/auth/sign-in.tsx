import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { ApiError } from "@/api/client";
import { useSignIn } from "@/api/queries/session";
import { local } from "@/lib/next";
import { auth } from "@/strings/auth";
import { Button } from "@/ui/button";
import { Field, PasswordField } from "@/ui/field";
import { FormProblem, problemOf } from "../problem";
import { AuthFrame } from "./frame";

const linkClass = "font-medium text-accent underline-offset-4 hover:underline";

/** Signing in: address and password, then the code if the user has a second factor. */
export function SignIn({ next }: { next: string | undefined }) {
  const [typed, setTyped] = useState({ email: "", password: "" });
  const signIn = useSignIn();
  const wantsCode = signIn.error instanceof ApiError && signIn.error.code === "second_factor_required";
  const [codeAsked, setCodeAsked] = useState(false);
  if (wantsCode && !codeAsked) setCodeAsked(true);
  const send = (code?: string) =>
    signIn.mutate(code ? { ...typed, code } : typed, { onSuccess: () => location.assign(local(next)) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  if (codeAsked) {
    const again = () => {
      setCodeAsked(false);
      signIn.reset();
    };
    return <CodeStep onCode={send} onBack={again} error={wantsCode ? null : signIn.error} busy={signIn.isPending} />;
  }
  return (
    <AuthFrame
      title={auth.signIn}
      intro={auth.signInIntro}
      below={
        <p>
          {auth.newHere}{" "}
          <Link to="/sign-up" search={next ? { next } : {}} className={linkClass}>
            {auth.toSignUp}
          </Link>
        </p>
      }
    >
      <form onSubmit={submit} className="grid gap-4" noValidate>
        <FormProblem error={signIn.error} fields={["email", "password"]} />
        <Field
          label={auth.email}
          name="email"
          type="email"
          autoComplete="username"
          autoFocus
          required
          value={typed.email}
          onChange={(event) => setTyped({ ...typed, email: event.target.value })}
          problem={problemOf(signIn.error, "email")}
        />
        <PasswordField
          label={auth.password}
          name="password"
          autoComplete="current-password"
          required
          value={typed.password}
          onChange={(event) => setTyped({ ...typed, password: event.target.value })}
          problem={problemOf(signIn.error, "password")}
        />
        <Button kind="primary" type="submit" busy={signIn.isPending}>
          {auth.signIn}
        </Button>
      </form>
      <p>
        <Link to="/forgot-password" className={linkClass}>
          {auth.forgot}
        </Link>
      </p>
    </AuthFrame>
  );
}

interface CodeProps {
  onCode: (code: string) => void;
  onBack: () => void;
  error: unknown;
  busy: boolean;
}

function CodeStep({ onCode, onBack, error, busy }: CodeProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onCode(String(new FormData(event.currentTarget).get("code")).trim());
  };
  return (
    <AuthFrame title={auth.codeTitle}>
      <form onSubmit={submit} className="grid gap-4" noValidate>
        <FormProblem error={error} fields={["code"]} />
        <Field
          label={auth.code}
          hint={auth.codeHint}
          name="code"
          autoComplete="one-time-code"
          autoFocus
          problem={problemOf(error, "code")}
        />
        <Button kind="primary" type="submit" busy={busy}>
          {auth.continue}
        </Button>
        <Button kind="ghost" onClick={onBack}>
          {auth.beginAgain}
        </Button>
      </form>
    </AuthFrame>
  );
}
