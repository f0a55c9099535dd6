import { type FormEvent, useState } from "react";
import type { Schemas } from "@/api/client";
import { useConnectPlatform } from "@/api/queries/platforms";
import { accountWords } from "@/strings/accounts";
import { ui } from "@/strings/ui";
import { Button } from "@/ui/button";
import { Dialog, DialogActions } from "@/ui/dialog";
import { FormProblem, tellFailure } from "../problem";

type Connection = Schemas["Platform"]["connection"];

/** Redirects the browser to the provider, which redirects back to the accounts. */
export function useConnect() {
  const connect = useConnectPlatform();
  const start = (connection: Connection) =>
    connect.mutate(
      { provider: "tiktok", connection },
      { onSuccess: ({ authorizationUrl }) => location.assign(authorizationUrl), onError: tellFailure },
    );
  return { connect, start };
}

/** Offers the kinds of connection, and redirects to the provider. */
export function ConnectDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { connect, start } = useConnect();
  const [kind, setKind] = useState<Connection>("creator");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start(kind);
  };
  return (
    <Dialog open={open} onClose={onClose} title={accountWords.connectTitle}>
      <p className="text-soft">{accountWords.connectText}</p>
      <form onSubmit={submit} className="grid gap-4">
        <FormProblem error={connect.error} fields={[]} />
        <fieldset className="grid gap-2">
          <legend className="sr-only">{accountWords.kind}</legend>
          <Kind
            value="creator"
            chosen={kind}
            onChoose={setKind}
            title={accountWords.creator}
            hint={accountWords.creatorHint}
          />
          <Kind
            value="business"
            chosen={kind}
            onChoose={setKind}
            title={accountWords.business}
            hint={accountWords.businessHint}
          />
        </fieldset>
        <DialogActions>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button kind="primary" type="submit" busy={connect.isPending || connect.isSuccess}>
            {accountWords.connectAction}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface KindProps {
  value: Connection;
  chosen: Connection;
  onChoose: (kind: Connection) => void;
  title: string;
  hint: string;
}

function Kind({ value, chosen, onChoose, title, hint }: KindProps) {
  return (
    <label className="flex items-start gap-3 rounded-xl border border-line p-4 transition-colors hover:bg-hover has-[:checked]:border-accent">
      <input
        type="radio"
        name="connection"
        value={value}
        checked={chosen === value}
        onChange={() => onChoose(value)}
        className="mt-0.5 size-4 accent-accent"
      />
      <span>
        <span className="block font-medium">{title}</span>
        <span className="block text-soft">{hint}</span>
      </span>
    </label>
  );
}
