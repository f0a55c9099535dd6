import { type ReactNode, useState } from "react";
import type { Schemas } from "@/api/client";
import { useUpdateWebhook, useWebhooks } from "@/api/queries/webhooks";
import { useHoldings } from "@/api/queries/workspace";
import { memberWords } from "@/strings/settings";
import { Confirm } from "@/ui/dialog";
import { Tick } from "@/ui/field";
import { Notice } from "@/ui/parts";
import { toast } from "@/ui/toasts";
import { unlessGone } from "../compose/trouble";
import { Loaded, sentence } from "../problem";

type HeldWebhook = Schemas["HeldWebhook"];

interface Props {
  userId: string;
  title: string;
  text: string;
  action: string;
  /** Whether their webhooks are disabled unless the box is cleared. */
  switchesOff: boolean;
  /** Removes the role. */
  onConfirm: () => Promise<unknown>;
  /** The messages for success and for failure. */
  done: string;
  failed: (why: string) => string;
  onClose: () => void;
}

/**
 * The confirmation before a member loses the role that may create keys, listing what ends and what stays. Webhooks are
 * disabled before the role is removed: if that fails, the member keeps the role and the dialog shows the error.
 */
export function RoleLossDialog({ userId, text, switchesOff, onConfirm, done, failed, onClose, ...question }: Props) {
  const holdings = useHoldings(userId);
  const webhooks = useWebhooks();
  const update = useUpdateWebhook();
  const [isOffWanted, setOffWanted] = useState(switchesOff);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const held = holdings.data?.webhooks ?? [];
  const off = new Set(webhooks.data?.webhooks.filter(({ disabled }) => disabled).map(({ id }) => id));
  const sending = held.filter(({ id }) => !off.has(id));
  // A webhook that someone else deleted meanwhile counts as disabled.
  const switchOff = (id: string) => update.mutateAsync({ id, disabled: true }).catch(unlessGone);
  const run = async () => {
    const chosen = isOffWanted ? sending : [];
    let count = 0;
    setBusy(true);
    setProblem(null);
    try {
      for (const { id } of chosen) {
        await switchOff(id);
        count += 1;
      }
      await onConfirm();
      onClose();
      toast([done, outcome(held.length, sending.length, chosen.length)].filter(Boolean).join(" "));
    } catch (error) {
      const before = count > 0 ? `${memberWords.alreadyOff(count, chosen.length)} ` : "";
      setProblem(before + failed(sentence(error)));
      setBusy(false);
    }
  };
  return (
    <Confirm
      {...question}
      open
      onClose={onClose}
      busy={busy}
      disabled={holdings.data === undefined || webhooks.isFetching}
      onConfirm={() => void run()}
    >
      <p>{text}</p>
      <Loaded query={holdings} rows={2}>
        {({ keys, webhooks }) => (
          <>
            {keys.length + webhooks.length === 0 && <p>{memberWords.nothingHeld}</p>}
            <Names title={memberWords.keysEnd}>
              {keys.map(({ id, name, lastFour }) => (
                <li key={id}>{memberWords.keyShown(name, lastFour)}</li>
              ))}
            </Names>
            <Addresses title={memberWords.webhooksSend(sending.length)} webhooks={sending} />
            {sending.length > 0 && (
              <SwitchOff count={sending.length} checked={isOffWanted} disabled={busy} onChange={setOffWanted} />
            )}
            <Addresses
              title={memberWords.webhooksOff(held.length - sending.length)}
              webhooks={held.filter(({ id }) => off.has(id))}
            />
            {webhooks.length > 0 && <p>{memberWords.secretsKnown}</p>}
          </>
        )}
      </Loaded>
      {problem && (
        <Notice tone="bad" role="alert">
          {problem}
        </Notice>
      )}
    </Confirm>
  );
}

/** The result for the webhooks. */
function outcome(held: number, sending: number, chosen: number): string {
  if (chosen > 0) return memberWords.webhooksWentOff(held);
  return sending > 0 ? memberWords.webhooksGoOn(sending) : "";
}

interface SwitchOffProps {
  count: number;
  checked: boolean;
  disabled: boolean;
  onChange: (checked: boolean) => void;
}

function SwitchOff({ count, checked, disabled, onChange }: SwitchOffProps) {
  const label = memberWords.switchOff(count);
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the box is within.
    <label className="flex min-h-8 items-center gap-2.5 text-ink">
      <Tick label={label} checked={checked} disabled={disabled} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}

function Addresses({ title, webhooks }: { title: string; webhooks: HeldWebhook[] }) {
  return (
    <Names title={title}>
      {webhooks.map(({ id, url }) => (
        <li key={id}>{url}</li>
      ))}
    </Names>
  );
}

function Names({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <div>
      <p>{title}</p>
      <ul className="list-disc break-all pl-5 text-ink">{children}</ul>
    </div>
  );
}
