import type { FormEvent } from "react";
import { useUpdateMe } from "@/api/queries/session";
import { securityWords } from "@/strings/security";
import { Button } from "@/ui/button";
import { PasswordField } from "@/ui/field";
import { Section } from "@/ui/page";
import { toast } from "@/ui/toasts";
import { FormProblem, problemOf } from "../problem";

/** Another password: every other session ends. */
export function Password({ email }: { email: string }) {
  const update = useUpdateMe();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const body = { currentPassword: String(given.get("currentPassword")), password: String(given.get("password")) };
    const onSuccess = () => {
      toast(securityWords.passwordChanged);
      form.reset();
    };
    update.mutate(body, { onSuccess });
  };
  return (
    <Section title={securityWords.password}>
      <form onSubmit={submit} className="grid max-w-md gap-4" noValidate>
        <FormProblem error={update.error} fields={["password", "currentPassword"]} />
        {/* For password managers: whose password it is. */}
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
        <div>
          <Button type="submit" busy={update.isPending}>
            {securityWords.changePassword}
          </Button>
        </div>
      </form>
    </Section>
  );
}
