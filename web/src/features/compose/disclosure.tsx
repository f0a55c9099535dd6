import { composeWords } from "@/strings/compose";
import { Switch } from "@/ui/switch";
import { withSettings } from "./composition";
import type { GroupParts } from "./group-parts";
import { ProblemNotes } from "./problem-notes";
import { BRANDED, hasField, ONLY_ME, OWN_BRAND, PRIVACY } from "./settings";
import { useComposing } from "./use-composition";

const SAYS = composeWords.disclosure;

/** What the post promotes, if anything, with the provider's label. */
export function Disclosure({ group, fields, settings, set, problemsAt }: GroupParts) {
  const { doc, edit } = useComposing();
  if (!hasField(fields, BRANDED) && !hasField(fields, OWN_BRAND)) return null;
  const { accounts } = group;
  const isOpen = accounts.some((account) => doc.disclosed.includes(account));
  const turn = (isOn: boolean) =>
    edit("settings", (doc) => {
      const others = doc.disclosed.filter((id) => !accounts.includes(id));
      const next = { ...doc, disclosed: isOn ? [...others, ...accounts] : others };
      return isOn ? next : withSettings(next, accounts, { [BRANDED]: false, [OWN_BRAND]: false });
    });
  const isPrivate = settings[PRIVACY] === ONLY_ME;
  const isBranded = settings[BRANDED] === true;
  const problems = [...problemsAt(BRANDED), ...problemsAt(OWN_BRAND)];
  const label = isBranded ? SAYS.partnership : settings[OWN_BRAND] === true ? SAYS.promotional : null;
  return (
    <div className="grid gap-3">
      <Switch label={SAYS.title} note={SAYS.text} checked={isOpen} onChange={({ target }) => turn(target.checked)} />
      {isOpen && (
        <fieldset className="grid gap-2 border-line border-l-2 pl-4">
          <legend className="sr-only">{SAYS.title}</legend>
          <Choice
            label={SAYS.own}
            text={SAYS.ownText}
            checked={settings[OWN_BRAND] === true}
            onChange={(isOn) => set({ [OWN_BRAND]: isOn })}
          />
          <Choice
            label={SAYS.branded}
            text={isPrivate && !isBranded ? SAYS.notPrivate : SAYS.brandedText}
            checked={isBranded}
            isClosed={isPrivate && !isBranded}
            onChange={(isOn) => set({ [BRANDED]: isOn })}
          />
          <p role="status" className={label ? "font-medium" : "text-soft"}>
            {label ?? (problems.length === 0 && SAYS.undecided)}
          </p>
        </fieldset>
      )}
      <ProblemNotes problems={problems} />
    </div>
  );
}

interface ChoiceProps {
  label: string;
  text: string;
  checked: boolean;
  isClosed?: boolean;
  onChange: (isOn: boolean) => void;
}

function Choice({ label, text, checked, isClosed = false, onChange }: ChoiceProps) {
  return (
    <label
      title={isClosed ? text : undefined}
      className="flex items-start gap-2.5 has-[:disabled]:cursor-not-allowed has-[:disabled]:text-soft"
    >
      <input
        type="checkbox"
        checked={checked}
        disabled={isClosed}
        onChange={({ target }) => onChange(target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent disabled:opacity-45"
      />
      <span>
        {label}
        <span className="block text-[0.8125rem] text-soft">{text}</span>
      </span>
    </label>
  );
}
