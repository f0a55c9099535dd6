import { Circle, ShieldCheck } from "lucide-react";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { useEndFactor, useRenewCodes } from "@/api/queries/session";
import { securityWords } from "@/strings/security";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Section } from "@/ui/page";
import { Badge } from "@/ui/parts";
import { toast } from "@/ui/toasts";
import { Codes } from "./codes";
import { Proof } from "./proof";
import { SetUp } from "./set-up";

type Open = "set-up" | "codes" | "off" | null;

/** The second factor: its state, and its actions. */
export function Factor({ me }: { me: Schemas["Me"] }) {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const text = me.secondFactor ? securityWords.codesLeft(me.recoveryCodesLeft) : securityWords.factorOff;
  return (
    <Section title={securityWords.factor}>
      <p className="mb-4 flex max-w-prose flex-wrap items-center gap-3">
        {me.secondFactor ? (
          <Badge tone="good" icon={ShieldCheck}>
            {securityWords.on}
          </Badge>
        ) : (
          <Badge tone="plain" icon={Circle}>
            {securityWords.off}
          </Badge>
        )}
        <span className="text-soft">{text}</span>
      </p>
      <div className="flex flex-wrap gap-2">
        {me.secondFactor ? (
          <>
            <Button onClick={() => setOpen("codes")}>{securityWords.newCodes}</Button>
            <Button kind="danger" onClick={() => setOpen("off")}>
              {securityWords.turnOff}
            </Button>
          </>
        ) : (
          <Button onClick={() => setOpen("set-up")}>{securityWords.setUp}</Button>
        )}
      </div>
      <Dialog open={open === "set-up"} onClose={close} title={securityWords.setUpTitle}>
        <SetUp email={me.user.email} onDone={close} />
      </Dialog>
      <Dialog open={open === "codes"} onClose={close} title={securityWords.newCodes}>
        <NewCodes onDone={close} />
      </Dialog>
      <Dialog open={open === "off"} onClose={close} title={securityWords.turnOffTitle}>
        <TurnOff onDone={close} />
      </Dialog>
    </Section>
  );
}

function NewCodes({ onDone }: { onDone: () => void }) {
  const renew = useRenewCodes();
  if (renew.data) return <Codes codes={renew.data.recoveryCodes} onDone={onDone} />;
  return (
    <Proof
      text={securityWords.newCodesText}
      action={securityWords.makeCodes}
      error={renew.error}
      busy={renew.isPending}
      onCancel={onDone}
      onProof={(proof) => renew.mutate(proof)}
    />
  );
}

function TurnOff({ onDone }: { onDone: () => void }) {
  const end = useEndFactor();
  const onSuccess = () => {
    onDone();
    toast(securityWords.isOff);
  };
  return (
    <Proof
      danger
      text={securityWords.turnOffText}
      action={securityWords.turnOff}
      error={end.error}
      busy={end.isPending}
      onCancel={onDone}
      onProof={(proof) => end.mutate(proof, { onSuccess })}
    />
  );
}
