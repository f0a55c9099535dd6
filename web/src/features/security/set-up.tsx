import type { FormEvent } from "react";
import type { Schemas } from "@/api/client";
import { useConfirmFactor, useSetUpFactor } from "@/api/queries/session";
import { securityWords } from "@/strings/security";
import { ui } from "@/strings/ui";
import { Button } from "@/ui/button";
import { DialogActions } from "@/ui/dialog";
import { Field, PasswordField } from "@/ui/field";
import { CopyButton } from "@/ui/parts";
import { FormProblem, problemOf } from "../problem";
import { Codes } from "./codes";
import { QrCode } from "./qr-code";

/** Sets up a second factor: the password, the secret and its first code, the recovery codes. */
export function SetUp({ email, onDone }: { email: string; onDone: () => void }) {
  const begin = useSetUpFactor();
  const confirm = useConfirmFactor();
  if (confirm.data) return <Codes codes={confirm.data.recoveryCodes} onDone={onDone} />;
  if (begin.data) {
    return (
      <FirstCode
        given={begin.data}
        error={confirm.error}
        busy={confirm.isPending}
        onCode={(code) => confirm.mutate({ code })}
        onCancel={onDone}
      />
    );
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    begin.mutate({ password: String(new FormData(event.currentTarget).get("password")) });
  };
  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <p className="text-soft">{securityWords.setUpText}</p>
      <FormProblem error={begin.error} fields={["password"]} />
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label={securityWords.present}
        name="password"
        autoComplete="current-password"
        autoFocus
        problem={problemOf(begin.error, "password")}
      />
      <DialogActions>
        <Button onClick={onDone}>{ui.cancel}</Button>
        <Button kind="primary" type="submit" busy={begin.isPending}>
          {securityWords.goOn}
        </Button>
      </DialogActions>
    </form>
  );
}

interface FirstCodeProps {
  given: Schemas["SecondFactorSetUp"];
  error: unknown;
  busy: boolean;
  onCode: (code: string) => void;
  onCancel: () => void;
}

const inFours = (secret: string): string => secret.match(/.{1,4}/g)?.join(" ") ?? secret;

function FirstCode({ given: { secret, otpauthUrl }, error, busy, onCode, onCancel }: FirstCodeProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onCode(String(new FormData(event.currentTarget).get("code")).trim());
  };
  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <p>{securityWords.scan}</p>
      <QrCode text={otpauthUrl} label={securityWords.picture} />
      <div className="grid gap-1.5">
        <p className="text-soft">{securityWords.orType}</p>
        <p className="flex flex-wrap items-center justify-between gap-3">
          <code className="break-words rounded-lg bg-sunken px-3 py-2 font-mono text-[0.8125rem]">
            {inFours(secret)}
          </code>
          <CopyButton text={secret} label={securityWords.copySecret} />
        </p>
        <p>
          <a href={otpauthUrl} className="text-accent underline-offset-4 hover:underline">
            {securityWords.openApp}
          </a>
        </p>
      </div>
      <FormProblem error={error} fields={["code"]} />
      <Field
        label={securityWords.firstCode}
        hint={securityWords.firstCodeHint}
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        autoFocus
        problem={problemOf(error, "code")}
      />
      <DialogActions>
        <Button onClick={onCancel}>{ui.cancel}</Button>
        <Button kind="primary" type="submit" busy={busy}>
          {securityWords.turnOn}
        </Button>
      </DialogActions>
    </form>
  );
}
