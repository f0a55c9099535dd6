import { useId, useMemo } from "react";
import { words } from "@/lib/words";
import { composeWords } from "@/strings/compose";
import { Button } from "@/ui/button";
import { Field, Select } from "@/ui/field";
import { Notice } from "@/ui/parts";
import { Switch } from "@/ui/switch";
import { nameOf } from "../accounts/names";
import { Audience } from "./audience";
import { withSettings } from "./composition";
import { Disclosure } from "./disclosure";
import type { GroupParts } from "./group-parts";
import { Privacy } from "./privacy";
import { ProblemNotes } from "./problem-notes";
import { at } from "./problems";
import {
  type Alike,
  alike,
  fieldsFor,
  hasField,
  INBOX,
  isForInbox,
  MODE,
  otherFields,
  PRIVACY,
  TITLE,
} from "./settings";
import { useComposing } from "./use-composition";

/** The settings of each account, from its schema; accounts with equal settings are edited together. */
export function SettingsPanel() {
  const { doc, schemas, edit } = useComposing();
  const groups = useMemo(() => alike(doc, schemas), [doc, schemas]);
  const couldBeOne = doc.apart || groups.some(({ accounts }) => accounts.length > 1);
  if (doc.accounts.length === 0) return null;
  return (
    <section aria-label={composeWords.settingsTitle} className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold text-[0.9375rem] leading-6">{composeWords.settingsTitle}</h2>
        {couldBeOne && (
          <Button size="small" kind="ghost" onClick={() => edit("", (doc) => ({ ...doc, apart: !doc.apart }))}>
            {doc.apart ? composeWords.together : composeWords.apart}
          </Button>
        )}
      </div>
      {groups.map((group) => (
        <Group key={group.accounts.join(" ")} group={group} />
      ))}
      {doc.accounts
        .filter((account) => !schemas.has(account))
        .map((account) => (
          <Unknown key={account} account={account} />
        ))}
    </section>
  );
}

function Unknown({ account }: { account: string }) {
  const { platforms } = useComposing();
  const platform = platforms.find(({ id }) => id === account);
  return (
    <Notice tone="plain">
      {platform && <span className="font-medium">{nameOf(platform)}: </span>}
      {composeWords.noSchema}
    </Notice>
  );
}

function Group({ group }: { group: Alike }) {
  const { doc, edit, kind, problems } = useComposing();
  const settings = doc.settings[group.accounts[0] ?? ""] ?? {};
  const fields = fieldsFor(group.schema, kind ?? null, settings);
  const parts: GroupParts = {
    group,
    fields,
    settings,
    set: (changes) => edit("settings", (doc) => withSettings(doc, group.accounts, changes)),
    problemsAt: (name) => at(problems, `settings.${name}`, group.accounts),
  };
  const isDirect = !isForInbox(settings);
  return (
    <div className="grid gap-5 rounded-xl border border-line bg-surface p-4 sm:p-5">
      <PostingAs accounts={group.accounts} />
      <Mode {...parts} />
      {hasField(fields, TITLE) && <Title {...parts} />}
      {isDirect && hasField(fields, PRIVACY) && <Privacy {...parts} />}
      {isDirect && kind === "video" && !hasField(fields, PRIVACY) && (
        <p className="text-soft">{composeWords.businessVideo}</p>
      )}
      {isDirect && <Audience {...parts} />}
      {isDirect && <Disclosure {...parts} />}
      {otherFields(fields).map((field) => (
        <Other key={field.name} field={field} {...parts} />
      ))}
    </div>
  );
}

/** The creator's name, which the provider requires to be shown. */
function PostingAs({ accounts }: { accounts: readonly string[] }) {
  const { platforms } = useComposing();
  return (
    <p className="text-soft">
      {composeWords.postingAs}{" "}
      {accounts.map((account, index) => {
        const platform = platforms.find(({ id }) => id === account);
        return (
          <span key={account}>
            {index > 0 && ", "}
            <span className="font-medium text-ink">{platform ? nameOf(platform) : account}</span>
            {platform?.displayHandle && ` @${platform.displayHandle}`}
          </span>
        );
      })}
    </p>
  );
}

function Mode({ fields, settings, set, problemsAt }: GroupParts) {
  const id = useId();
  const field = fields.find(({ name }) => name === MODE);
  if (!field?.enum || field.enum.length < 2) return null;
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-medium">{composeWords.settings[MODE]}</legend>
      {field.enum.map((mode) => (
        <label key={mode} className="flex items-start gap-2.5">
          <input
            type="radio"
            name={id}
            checked={settings[MODE] === mode}
            onChange={() => set({ [MODE]: mode })}
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          <span>
            {composeWords.modes[mode] ?? words(mode)}
            {mode === INBOX && settings[MODE] === INBOX && (
              <span className="block text-[0.8125rem] text-soft">{composeWords.inboxNote}</span>
            )}
          </span>
        </label>
      ))}
      <ProblemNotes problems={problemsAt(MODE)} />
    </fieldset>
  );
}

function Title({ fields, settings, set, problemsAt }: GroupParts) {
  const most = fields.find(({ name }) => name === TITLE)?.maxLength;
  const value = typeof settings[TITLE] === "string" ? settings[TITLE] : "";
  return (
    <Field
      label={composeWords.settings[TITLE] ?? TITLE}
      value={value}
      onChange={({ target }) => set({ [TITLE]: target.value })}
      hint={most === undefined ? undefined : composeWords.captionCount(String(value.length), String(most))}
      problem={problemsAt(TITLE)[0]?.text}
    />
  );
}

/** A setting without its own control, from the schema. */
function Other({ field, settings, set, problemsAt }: GroupParts & { field: GroupParts["fields"][number] }) {
  const { name, description, type } = field;
  const label = composeWords.settings[name] ?? words(name);
  const value = settings[name];
  const problem = problemsAt(name)[0]?.text;
  const change = (value: unknown) => set({ [name]: value });
  if (type === "boolean") {
    return (
      <Switch
        label={label}
        note={problem ?? description}
        checked={value === true}
        onChange={({ target }) => change(target.checked)}
      />
    );
  }
  const text = value === undefined || value === null ? "" : String(value);
  const common = { label, hint: description, problem, value: text };
  if (field.enum) {
    return (
      <Select {...common} onChange={({ target }) => change(target.value === "" ? null : target.value)}>
        <option value="">{composeWords.choose}</option>
        {field.enum.map((option) => (
          <option key={option} value={option}>
            {words(option)}
          </option>
        ))}
      </Select>
    );
  }
  const isNumber = type === "integer";
  return (
    <Field
      {...common}
      type={isNumber ? "number" : "text"}
      min={field.minimum}
      max={field.maximum}
      onChange={({ target }) => change(isNumber && target.value !== "" ? target.valueAsNumber : target.value)}
    />
  );
}
