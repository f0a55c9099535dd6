import { words } from "@/lib/words";
import { composeWords } from "@/strings/compose";
import { Select } from "@/ui/field";
import type { GroupParts } from "./group-parts";
import { BRANDED, ONLY_ME, PRIVACY } from "./settings";

/** Who can see the post: the account's options, with none preselected. */
export function Privacy({ fields, settings, set, problemsAt }: GroupParts) {
  const options = fields.find(({ name }) => name === PRIVACY)?.enum ?? [];
  const isBranded = settings[BRANDED] === true;
  const chosen = typeof settings[PRIVACY] === "string" ? settings[PRIVACY] : "";
  return (
    <Select
      label={composeWords.settings[PRIVACY] ?? PRIVACY}
      value={chosen}
      onChange={({ target }) => set({ [PRIVACY]: target.value })}
      hint={isBranded && options.includes(ONLY_ME) ? composeWords.disclosure.notPrivate : undefined}
      problem={problemsAt(PRIVACY)[0]?.text}
      required
    >
      <option value="" disabled>
        {composeWords.choose}
      </option>
      {options.map((option) => {
        const isClosed = isBranded && option === ONLY_ME;
        return (
          <option
            key={option}
            value={option}
            disabled={isClosed}
            title={isClosed ? composeWords.disclosure.notPrivate : undefined}
          >
            {composeWords.privacy[option] ?? words(option)}
          </option>
        );
      })}
    </Select>
  );
}
