import type { UseQueryResult } from "@tanstack/react-query";
import { useId } from "react";
import type { Schemas } from "@/api/client";
import { absolute, full } from "@/lib/time";
import { accessWords } from "@/strings/access";
import { Select } from "@/ui/field";
import { OPTION_COLUMNS, Option, OptionGroup } from "@/ui/option";
import { Initials } from "@/ui/parts";
import { nameOf } from "../accounts/names";
import { Loaded, problemOf } from "../problem";
import { type Access, endOf, type Lifetime, missingIn, type Scope, withPlatform } from "./access";
import { type ChoiceProps, ScopeBoxes, ScopePresets } from "./scope-fields";

/** The fields whose problems are shown beside them. */
export const ACCESS_FIELDS = ["scopes", "platformIds", "expiresAt"] as const;

type PlatformsQuery = UseQueryResult<{ platforms: Schemas["Platform"][] }>;

interface Props extends Omit<ChoiceProps, "problem"> {
  /** The scopes that a program asks for; without them, presets of all scopes. */
  asked?: readonly Scope[];
  /** The accounts of the key's workspace. */
  platforms: PlatformsQuery;
  /** Whether a missing choice is shown beside its field. */
  showsMissing?: boolean;
  /** The error of the request. */
  error: unknown;
}

/** What a key may do, for which accounts, and for how long. */
export function AccessFields({ access, onChange, asked, platforms, showsMissing = false, error }: Props) {
  const missing = showsMissing ? missingIn(access) : null;
  const problems = {
    scopes: missing === "scopes" ? accessWords.missing.scopes : problemOf(error, "scopes"),
    accounts: missing === "accounts" ? accessWords.missing.accounts : problemOf(error, "platformIds"),
  };
  const choice = { access, onChange };
  return (
    <div className="@container grid gap-4">
      {asked ? (
        <OptionGroup legend={accessWords.legend} hint={accessWords.askedHint} problem={problems.scopes}>
          <ScopeBoxes {...choice} offered={asked} />
        </OptionGroup>
      ) : (
        <ScopePresets {...choice} problem={problems.scopes} />
      )}
      <Accounts {...choice} platforms={platforms} problem={problems.accounts} />
      <LifetimeSelect {...choice} problem={problemOf(error, "expiresAt")} />
    </div>
  );
}

function Accounts({ access, onChange, platforms, problem }: ChoiceProps & { platforms: PlatformsQuery }) {
  const group = useId();
  const isLimited = access.platformIds !== null;
  const choose = (platformIds: Access["platformIds"]) => onChange({ ...access, platformIds });
  return (
    <OptionGroup legend={accessWords.accounts} problem={problem}>
      <div className={OPTION_COLUMNS}>
        <Option
          type="radio"
          name={group}
          label={accessWords.all}
          note={accessWords.allNote}
          checked={!isLimited}
          onChange={() => choose(null)}
        />
        <Option
          type="radio"
          name={group}
          label={accessWords.only}
          note={accessWords.onlyNote}
          checked={isLimited}
          onChange={() => choose([])}
        />
      </div>
      {isLimited && (
        <fieldset className="mt-2 min-w-0 border-line border-l-2 pl-4">
          <legend className="sr-only">{accessWords.only}</legend>
          <Loaded query={platforms} rows={1}>
            {({ platforms }) => <AccountBoxes access={access} onChange={onChange} platforms={platforms} />}
          </Loaded>
        </fieldset>
      )}
    </OptionGroup>
  );
}

interface AccountBoxesProps extends Omit<ChoiceProps, "problem"> {
  platforms: Schemas["Platform"][];
}

function AccountBoxes({ access, onChange, platforms }: AccountBoxesProps) {
  if (platforms.length === 0) return <p className="text-soft">{accessWords.noAccounts}</p>;
  return (
    <div className={`${OPTION_COLUMNS} -mx-2 max-h-60 overflow-y-auto px-2`}>
      {platforms.map((platform) => (
        <Option
          key={platform.id}
          type="checkbox"
          picture={<Initials name={nameOf(platform)} />}
          label={nameOf(platform)}
          note={platform.displayHandle ? `@${platform.displayHandle}` : platform.providerName}
          checked={access.platformIds?.includes(platform.id) ?? false}
          onChange={({ target }) => onChange(withPlatform(access, platform.id, target.checked))}
        />
      ))}
    </div>
  );
}

/** The lifetime, with the date of its end. */
function LifetimeSelect({ access, onChange, problem }: ChoiceProps) {
  const end = endOf(access.lifetime, new Date());
  return (
    <Select
      label={accessWords.expires}
      value={access.lifetime}
      onChange={({ target }) => onChange({ ...access, lifetime: target.value as Lifetime })}
      hint={end ? <DateOf at={end} /> : accessWords.untilRevoked}
      problem={problem}
    >
      {Object.entries(accessWords.lifetimes).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Select>
  );
}

const DateOf = ({ at }: { at: string }) => (
  <time dateTime={at} title={full(at)}>
    {absolute(at)}
  </time>
);
