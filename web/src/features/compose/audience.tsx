import { composeWords } from "@/strings/compose";
import type { GroupParts } from "./group-parts";
import { ProblemNotes } from "./problem-notes";
import { AUDIENCE, hasField, isForbidden } from "./settings";
import { useComposing } from "./use-composition";

const NAMES = Object.keys(AUDIENCE) as (keyof typeof AUDIENCE)[];

/** The permissions of viewers: off by default, and disabled if the account forbids them. */
export function Audience({ group, fields, settings, set, problemsAt }: GroupParts) {
  const { platforms } = useComposing();
  const shown = NAMES.filter((name) => hasField(fields, name));
  if (shown.length === 0) return null;
  const account = platforms.find(({ id }) => id === group.accounts[0]);
  const forbids = (name: keyof typeof AUDIENCE) => account !== undefined && isForbidden(account, name);
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-medium">{composeWords.audience}</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {shown.map((name) => (
          <label
            key={name}
            title={forbids(name) ? composeWords.forbidden : undefined}
            className="flex items-center gap-2 has-[:disabled]:cursor-not-allowed has-[:disabled]:text-soft"
          >
            <input
              type="checkbox"
              checked={settings[name] === true && !forbids(name)}
              disabled={forbids(name)}
              onChange={({ target }) => set({ [name]: target.checked })}
              className="size-4 accent-accent disabled:opacity-45"
            />
            {composeWords.allow[name]}
          </label>
        ))}
      </div>
      {shown.some(forbids) && (
        <p className="text-[0.8125rem] text-soft">
          {shown
            .filter(forbids)
            .map((name) => composeWords.allow[name])
            .join(", ")}
          : {composeWords.forbidden}
        </p>
      )}
      <ProblemNotes problems={shown.flatMap(problemsAt)} />
    </fieldset>
  );
}
