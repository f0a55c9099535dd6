import type { FormEvent } from "react";
import { useCreateKey } from "@/api/queries/workspace";
import { daysFrom } from "@/lib/time";
import { keyWords } from "@/strings/settings";
import { ui } from "@/strings/ui";
import { Button } from "@/ui/button";
import { Dialog, DialogActions } from "@/ui/dialog";
import { Field, Select } from "@/ui/field";
import { Secret } from "@/ui/secret";
import { FormProblem, problemOf } from "../problem";

/** In days. */
const ENDS = { never: 0, month: 30, quarter: 90, year: 365 } as const;

/** Creates a key, and shows it once. */
export function CreateKeyDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const create = useCreateKey();
  const close = () => {
    create.reset();
    onClose();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const days = ENDS[String(form.get("ends")) as keyof typeof ENDS] ?? 0;
    const expiresAt = days === 0 ? null : daysFrom(new Date(), days);
    create.mutate({ name: String(form.get("name")), expiresAt });
  };
  return (
    <Dialog open={open} onClose={close} title={create.data ? keyWords.onceTitle : keyWords.createTitle}>
      {create.data ? (
        <Secret secret={create.data.key} words={keyWords.secret} onDone={close} />
      ) : (
        <form onSubmit={submit} className="grid gap-4" noValidate>
          <FormProblem error={create.error} fields={["name"]} />
          <Field
            label={keyWords.name}
            name="name"
            hint={keyWords.nameHint}
            autoFocus
            problem={problemOf(create.error, "name")}
          />
          <Select label={keyWords.expires} name="ends" defaultValue="never">
            {Object.entries(keyWords.ends).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
          <DialogActions>
            <Button onClick={close}>{ui.cancel}</Button>
            <Button kind="primary" type="submit" busy={create.isPending}>
              {keyWords.create}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}
