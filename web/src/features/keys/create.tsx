import { type FormEvent, useState } from "react";
import { usePlatforms } from "@/api/queries/platforms";
import { useCreateKey } from "@/api/queries/workspace";
import { keyWords } from "@/strings/settings";
import { ui } from "@/strings/ui";
import { Button } from "@/ui/button";
import { Dialog, DialogActions } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Secret } from "@/ui/secret";
import { FormProblem, problemOf } from "../problem";
import { accessOf, missingIn, PRESETS, requestOf } from "./access";
import { ACCESS_FIELDS, AccessFields } from "./access-fields";

/** Creates a key, and shows it once. */
export function CreateKeyDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const create = useCreateKey();
  const close = () => {
    create.reset();
    onClose();
  };
  const isCreated = create.data !== undefined;
  return (
    <Dialog open={open} onClose={close} title={isCreated ? keyWords.onceTitle : keyWords.createTitle} wide={!isCreated}>
      {isCreated ? (
        <Secret secret={create.data.key} words={keyWords.secret} onDone={close} />
      ) : (
        <KeyForm create={create} onCancel={close} />
      )}
    </Dialog>
  );
}

interface FormProps {
  create: ReturnType<typeof useCreateKey>;
  onCancel: () => void;
}

/** The name, and what the key may do. */
function KeyForm({ create, onCancel }: FormProps) {
  const [access, setAccess] = useState(() => accessOf(PRESETS.publish));
  const [isSubmitted, setIsSubmitted] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsSubmitted(true);
    if (missingIn(access)) return;
    const name = String(new FormData(event.currentTarget).get("name"));
    create.mutate({ name, ...requestOf(access, new Date()) });
  };
  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <FormProblem error={create.error} fields={["name", ...ACCESS_FIELDS]} />
      <Field
        label={keyWords.name}
        name="name"
        hint={keyWords.nameHint}
        autoFocus
        problem={problemOf(create.error, "name")}
      />
      <AccessFields
        access={access}
        onChange={setAccess}
        platforms={usePlatforms()}
        showsMissing={isSubmitted}
        error={create.error}
      />
      <DialogActions>
        <Button onClick={onCancel}>{ui.cancel}</Button>
        <Button kind="primary" type="submit" busy={create.isPending}>
          {keyWords.create}
        </Button>
      </DialogActions>
    </form>
  );
}
