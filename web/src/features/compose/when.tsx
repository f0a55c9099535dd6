import { TriangleAlert } from "lucide-react";
import { useId, useState } from "react";
import { clockTime, meaning, offsetName, told, wallAt, zones } from "@/lib/wall";
import { whenWords } from "@/strings/compose";
import { Field } from "@/ui/field";
import { nameOf } from "../accounts/names";
import type { When as Plan } from "./composition";
import { ProblemNotes } from "./problem-notes";
import { at as problemsAt } from "./problems";
import { useComposing } from "./use-composition";
import type { Found } from "./use-problems";

/** Now, or at a time in the workspace's zone, with notes about that time. */
export function When({ warnings }: { warnings: Found["warnings"] }) {
  const { doc, edit, zone, problems } = useComposing();
  const id = useId();
  const { mode } = doc.when;
  const plan = (change: Partial<Plan>) => edit("when", (doc) => ({ ...doc, when: { ...doc.when, ...change } }));
  const choose = (mode: Plan["mode"]) => plan(doc.when.date === "" ? { ...tomorrow(zone), mode } : { mode });
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <h2 id={id} className="font-semibold text-[0.9375rem] leading-6">
        {whenWords.title}
      </h2>
      <fieldset className="flex w-fit gap-1 rounded-lg bg-sunken p-1">
        <legend className="sr-only">{whenWords.title}</legend>
        {(["now", "schedule"] as const).map((value) => (
          <label
            key={value}
            className="relative rounded-md px-3 py-1.5 text-soft transition-colors has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent has-[:checked]:bg-surface dark:has-[:checked]:bg-line has-[:checked]:font-medium has-[:checked]:text-ink has-[:checked]:shadow-sm"
          >
            <input
              type="radio"
              name={`${id}mode`}
              checked={mode === value}
              onChange={() => choose(value)}
              className="absolute inset-0 size-full cursor-[inherit] opacity-0"
            />
            {whenWords.modes[value]}
          </label>
        ))}
      </fieldset>
      {mode === "schedule" && <Time plan={plan} />}
      <ProblemNotes problems={problemsAt(problems, "when")} />
      <Warnings warnings={warnings} />
    </section>
  );
}

const DAY = 86_400_000;

/** Tomorrow at this hour, without the minutes. */
function tomorrow(zone: string): Pick<Plan, "date" | "time" | "second"> {
  const [date = "", time = ""] = wallAt(Date.now() + DAY, zone).split("T");
  return { date, time: `${time.slice(0, 2)}:00`, second: false };
}

function Time({ plan }: { plan: (change: Partial<Plan>) => void }) {
  const { doc, zone, at } = useComposing();
  const { date, time, second } = doc.when;
  const found = meaning(`${date}T${time}`, zone);
  const named = at ?? Date.now();
  return (
    <div className="grid gap-3">
      <div className="grid max-w-md grid-cols-2 gap-3">
        <Field
          label={whenWords.date}
          type="date"
          min={wallAt(Date.now(), zone).slice(0, 10)}
          value={date}
          onChange={({ target }) => plan({ date: target.value, second: false })}
        />
        <Field
          label={whenWords.time}
          type="time"
          value={time}
          onChange={({ target }) => plan({ time: target.value.slice(0, 5), second: false })}
        />
      </div>
      {found?.kind === "twice" && (
        <fieldset className="grid gap-1.5">
          <legend className="mb-1">{whenWords.twice}</legend>
          {[found.first, found.second].map((moment, index) => (
            <label key={moment} className="flex items-center gap-2">
              <input
                type="radio"
                name="occurrence"
                checked={second === (index === 1)}
                onChange={() => plan({ second: index === 1 })}
                className="size-4 accent-accent"
              />
              {whenWords.occurrence(clockTime(moment, zone), offsetName(moment, zone))}
            </label>
          ))}
        </fieldset>
      )}
      {found?.kind === "gap" && (
        <p role="status" className="text-warn">
          {whenWords.never(clockTime(Date.parse(`${date}T${time}Z`), "UTC"), clockTime(found.at, zone))}
        </p>
      )}
      {at !== null && (
        <p className="font-medium">{at < Date.now() ? whenWords.past : whenWords.goesOut(told(at, zone))}</p>
      )}
      <p className="text-soft">{whenWords.zone(zone, offsetName(named, zone))}</p>
      {at !== null && <Elsewhere at={at} own={zone} />}
    </div>
  );
}

const KEPT = "playout.audienceZone";

/** The same moment in the zone of the viewers; which zone is remembered in this browser. */
function Elsewhere({ at, own }: { at: number; own: string }) {
  const id = useId();
  const [chosen, setChosen] = useState(() => localStorage.getItem(KEPT) ?? "UTC");
  const all = zones(own);
  const zone = all.includes(chosen) ? chosen : "UTC";
  const choose = (zone: string) => {
    localStorage.setItem(KEPT, zone);
    setChosen(zone);
  };
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-soft">
      <label htmlFor={id}>{whenWords.audience}</label>
      <select
        id={id}
        value={zone}
        onChange={({ target }) => choose(target.value)}
        className="h-8 max-w-full rounded-lg border border-line-strong/60 bg-surface px-2 text-[0.8125rem] text-ink hover:border-line-strong"
      >
        {all.map((zone) => (
          <option key={zone} value={zone}>
            {zone.replaceAll("_", " ")}
          </option>
        ))}
      </select>
      <span>{whenWords.audienceTime(told(at, zone), offsetName(at, zone))}</span>
    </p>
  );
}

/** Possible problems; the post is accepted nevertheless. */
function Warnings({ warnings }: { warnings: Found["warnings"] }) {
  const { platforms } = useComposing();
  if (warnings.length === 0) return null;
  const nameFor = (account: string) => {
    const platform = platforms.find(({ id }) => id === account);
    return platform ? nameOf(platform) : "";
  };
  return (
    <ul role="status" className="grid gap-2 rounded-xl bg-warn-soft px-4 py-3 text-warn">
      {warnings.map(({ account, text }) => (
        <li key={`${account} ${text}`} className="flex items-start gap-2">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>{whenWords.warning(nameFor(account), text)}</span>
        </li>
      ))}
    </ul>
  );
}
