import type { FormEvent } from "react";
import { useUpdateMe } from "@/api/queries/session";
import { securityWords } from "@/strings/security";
import { Button } from "@/ui/button";
import { Field, PasswordField } from "@/ui/field";
import { Section } from "@/ui/page";
import { toast } from "@/ui/toasts";
import { FormProblem, problemOf } from "../problem";

/** A new password: every other session ends. */
export function Password({ email, withCode }: { email: string; withCode: boolean }) {
  const update = useUpdateMe();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const code = String(given.get("code") ?? "").trim();
    const body = {
      currentPassword: String(given.get("currentPassword")),
      password: String(given.get("password")),
      ...(code ? { code } : {}),
    };
    const onSuccess = () => {
      toast(securityWords.passwordChanged);
      form.reset();
    };
    update.mutate(body, { onSuccess });
  };
  return (
    <Section title={securityWords.password}>
      <form onSubmit={submit} className="grid max-w-md gap-4" noValidate>
        <FormProblem error={update.error} fields={["password", "currentPassword", "code"]} />
        {/* For password managers: the user of the password. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label={securityWords.present}
          name="currentPassword"
          autoComplete="current-password"
          problem={problemOf(update.error, "currentPassword")}
        />
        <PasswordField
          label={securityWords.newPassword}
          name="password"
          autoComplete="new-password"
          hint={securityWords.passwordHint}
          problem={problemOf(update.error, "password")}
        />
        {withCode && (
          <Field
            label={securityWords.code}
            name="code"
            autoComplete="one-time-code"
            hint={securityWords.codeHint}
            problem={problemOf(update.error, "code")}
          />
        )}
        <div>
          <Button type="submit" busy={update.isPending}>
            {securityWords.changePassword}
          </Button>
        </div>
      </form>
    </Section>
  );
}
