import { type FormEvent, useId, useState } from "react";
import { WEBHOOK_EVENTS, type WebhookEvent, type WebhookInput } from "@/api/queries/webhooks";
import { ui } from "@/strings/ui";
import { webhookWords } from "@/strings/webhooks";
import { Button } from "@/ui/button";
import { DialogActions } from "@/ui/dialog";
import { Field, Tick } from "@/ui/field";
import { FormProblem, problemOf } from "../problem";

interface Props {
  /** The present values. */
  before?: WebhookInput;
  action: string;
  error: unknown;
  busy: boolean;
  onCancel: () => void;
  onSend: (input: WebhookInput) => void;
}

/** The address and the events. */
export function WebhookForm({ before, action, error, busy, onCancel, onSend }: Props) {
  const [wrong, setWrong] = useState<{ url?: string; events?: string }>({});
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const url = String(form.get("url")).trim();
    const events = form.getAll("events") as WebhookEvent[];
    setWrong({
      ...(url === "" ? { url: webhookWords.urlMissing } : {}),
      ...(events.length === 0 ? { events: webhookWords.eventsMissing } : {}),
    });
    if (url !== "" && events.length > 0) onSend({ url, events });
  };
  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <FormProblem error={error} fields={["url", "events"]} />
      <Field
        label={webhookWords.url}
        name="url"
        type="url"
        inputMode="url"
        placeholder="https://"
        defaultValue={before?.url}
        hint={webhookWords.urlHint}
        autoComplete="off"
        autoFocus
        problem={wrong.url ?? problemOf(error, "url")}
      />
      <Events chosen={before?.events ?? WEBHOOK_EVENTS} problem={wrong.events ?? problemOf(error, "events")} />
      <DialogActions>
        <Button onClick={onCancel}>{ui.cancel}</Button>
        <Button kind="primary" type="submit" busy={busy}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}

function Events({ chosen, problem }: { chosen: readonly WebhookEvent[]; problem: string | undefined }) {
  const note = useId();
  return (
    <fieldset aria-describedby={problem ? note : undefined} className="grid gap-1">
      <legend className="mb-1.5 font-medium">{webhookWords.events}</legend>
      {WEBHOOK_EVENTS.map((event) => (
        // biome-ignore lint/a11y/noLabelWithoutControl: the box is within.
        <label key={event} className="flex min-h-8 items-center gap-3 rounded-lg hover:bg-hover">
          <Tick label={webhookWords.kinds[event]} name="events" value={event} defaultChecked={chosen.includes(event)} />
          <span className="min-w-0 flex-1">{webhookWords.kinds[event]}</span>
          <code className="font-mono text-soft text-xs max-sm:hidden">{event}</code>
        </label>
      ))}
      {problem && (
        <p id={note} className="text-[0.8125rem] text-bad">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
