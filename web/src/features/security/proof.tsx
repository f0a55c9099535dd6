import type { FormEvent } from "react";
import type { Schemas } from "@/api/client";
import { securityWords } from "@/strings/security";
import { ui } from "@/strings/ui";
import { Button } from "@/ui/button";
import { DialogActions } from "@/ui/dialog";
import { Field, PasswordField } from "@/ui/field";
import { FormProblem, problemOf } from "../problem";

interface Props {
  /** The effect of the action. */
  text: string;
  /** The button's label: a verb. */
  action: string;
  danger?: boolean;
  error: unknown;
  busy: boolean;
  onCancel: () => void;
  onProof: (proof: Schemas["BothFactors"]) => void;
}

/** Asks for the password and a code: changing the second factor needs both. */
export function Proof({ text, action, danger = false, error, busy, onCancel, onProof }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    onProof({ password: String(form.get("password")), code: String(form.get("code")).trim() });
  };
  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <p className="text-soft">{text}</p>
      <FormProblem error={error} fields={["password", "code"]} />
      <PasswordField
        label={securityWords.present}
        name="password"
        autoComplete="current-password"
        autoFocus
        problem={problemOf(error, "password")}
      />
      <Field
        label={securityWords.code}
        name="code"
        autoComplete="one-time-code"
        hint={securityWords.codeHint}
        problem={problemOf(error, "code")}
      />
      <DialogActions>
        <Button onClick={onCancel}>{ui.cancel}</Button>
        <Button kind={danger ? "danger" : "primary"} type="submit" busy={busy}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}
