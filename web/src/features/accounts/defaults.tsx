import type { FormEvent } from "react";
import type { Schemas } from "@/api/client";
import { usePlatformSchema, useUpdatePlatform } from "@/api/queries/platforms";
import { words } from "@/lib/words";
import { accountWords } from "@/strings/accounts";
import { Button } from "@/ui/button";
import { Field, Select } from "@/ui/field";
import { Section, Skeleton } from "@/ui/page";
import { Notice } from "@/ui/parts";
import { toast } from "@/ui/toasts";
import { FormProblem, problemOf } from "../problem";
import { useSession } from "../session";

type Platform = Schemas["Platform"];
type SettingField = Schemas["SettingField"];

/** An account's defaults, as its own schema describes them. */
export function Defaults({ platform }: { platform: Platform }) {
  const schema = usePlatformSchema(platform.id);
  return (
    <Section title={accountWords.defaults} intro={accountWords.defaultsIntro}>
      {schema.isPending && <Skeleton rows={3} />}
      {schema.isError && <Notice tone="plain">{accountWords.noSchema}</Notice>}
      {schema.data && <Form platform={platform} fields={schema.data.schema.settings.fields} />}
    </Section>
  );
}

function Form({ platform, fields }: { platform: Platform; fields: SettingField[] }) {
  const update = useUpdatePlatform();
  const { may } = useSession();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const settings = readSettings(fields, new FormData(event.currentTarget));
    update.mutate({ id: platform.id, settings }, { onSuccess: () => toast(accountWords.saved) });
  };
  const paths = fields.map(({ name }) => `settings.${name}`);
  return (
    <form onSubmit={submit} className="grid gap-5" noValidate>
      <FormProblem error={update.error} fields={paths} />
      <fieldset disabled={!may("admin")} className="grid items-start gap-x-6 gap-y-5 sm:grid-cols-2">
        {fields.map((field) => (
          <Setting
            key={field.name}
            field={field}
            value={platform.settings[field.name]}
            problem={problemOf(update.error, `settings.${field.name}`)}
          />
        ))}
      </fieldset>
      {may("admin") && (
        <div>
          <Button kind="primary" type="submit" busy={update.isPending}>
            {accountWords.save}
          </Button>
        </div>
      )}
    </form>
  );
}

/** The values of the form, each with its type; empty fields are left out. */
function readSettings(fields: SettingField[], form: FormData): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const { name, type } of fields) {
    const value = String(form.get(name) ?? "");
    if (value === "") continue;
    if (type === "boolean") settings[name] = value === "true";
    else settings[name] = type === "integer" ? Number(value) : value;
  }
  return settings;
}

function Setting({ field, value, problem }: { field: SettingField; value: unknown; problem: string | undefined }) {
  const common = { label: words(field.name), hint: field.description, name: field.name, problem };
  const given = value === undefined || value === null ? "" : String(value);
  if (field.type === "boolean" || field.enum) {
    const options = field.enum ?? ["true", "false"];
    return (
      <Select {...common} defaultValue={given}>
        <option value="">{accountWords.notSet}</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {field.enum ? words(option) : option === "true" ? accountWords.on : accountWords.offWord}
          </option>
        ))}
      </Select>
    );
  }
  if (field.type === "integer") {
    return <Field {...common} type="number" min={field.minimum} max={field.maximum} defaultValue={given} />;
  }
  return <Field {...common} maxLength={field.maxLength} defaultValue={given} />;
}
