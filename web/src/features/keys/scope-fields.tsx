import { useId, useState } from "react";
import { accessWords } from "@/strings/access";
import { OPTION_COLUMNS, Option, OptionGroup } from "@/ui/option";
import {
  type Access,
  includedBy,
  isExcluded,
  PRESETS,
  type Preset,
  presetOf,
  SCOPES,
  type Scope,
  withScope,
} from "./access";

export interface ChoiceProps {
  access: Access;
  onChange: (access: Access) => void;
  /** The problem of the choice. */
  problem: string | undefined;
}

/** A choice among sets of scopes, or of single ones. */
export function ScopePresets({ access, onChange, problem }: ChoiceProps) {
  const group = useId();
  const [isCustom, setIsCustom] = useState(false);
  const chosen = isCustom ? "custom" : presetOf(access.scopes);
  const choose = (preset: Preset | "custom") => {
    setIsCustom(preset === "custom");
    if (preset !== "custom") onChange({ ...access, scopes: PRESETS[preset] });
  };
  const noteOf = (preset: Preset | "custom") =>
    preset === "everything" && isExcluded("webhooks", access)
      ? accessWords.everythingLimited
      : accessWords.presets[preset].note;
  return (
    <OptionGroup legend={accessWords.legend} problem={problem}>
      <div className={OPTION_COLUMNS}>
        {([...Object.keys(PRESETS), "custom"] as (Preset | "custom")[]).map((preset) => (
          <Option
            key={preset}
            type="radio"
            name={group}
            label={accessWords.presets[preset].label}
            note={noteOf(preset)}
            checked={preset === chosen}
            onChange={() => choose(preset)}
          />
        ))}
      </div>
      {chosen === "custom" && (
        <fieldset className="mt-2 min-w-0 border-line border-l-2 pl-4">
          <legend className="sr-only">{accessWords.presets.custom.label}</legend>
          <ScopeBoxes access={access} onChange={onChange} offered={SCOPES} />
        </fieldset>
      )}
    </OptionGroup>
  );
}

interface BoxesProps extends Omit<ChoiceProps, "problem"> {
  offered: readonly Scope[];
}

/** The scopes, each with its meaning. One that another includes cannot be removed. */
export function ScopeBoxes({ access, onChange, offered }: BoxesProps) {
  return (
    <div className={OPTION_COLUMNS}>
      {offered.map((scope) => {
        const isOff = isExcluded(scope, access);
        const by = includedBy(scope, access.scopes);
        return (
          <Option
            key={scope}
            type="checkbox"
            label={accessWords.scopes[scope].label}
            note={isOff ? accessWords.webhooksOff : scopeNote(scope, by)}
            checked={!isOff && (by !== undefined || access.scopes.includes(scope))}
            disabled={isOff || by !== undefined}
            onChange={({ target }) => onChange(withScope(access, scope, target.checked))}
          />
        );
      })}
    </div>
  );
}

function scopeNote(scope: Scope, by: Scope | undefined): string {
  const { note } = accessWords.scopes[scope];
  if (by) return `${note} ${accessWords.included(accessWords.scopes[by].label)}`;
  return scope === "drafts" ? `${note} ${accessWords.draftsAlone}` : note;
}
