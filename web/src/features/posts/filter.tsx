import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { usePlatforms } from "@/api/queries/platforms";
import type { PostFilter, PostState } from "@/api/queries/posts";
import { daysFrom } from "@/lib/time";
import { postWords } from "@/strings/posts";
import { SmallSelect } from "@/ui/field";
import { nameOf } from "../accounts/names";
import { STATES } from "./state";

/** The list's part of the address. */
export interface PostSearch {
  q?: string;
  state?: PostState;
  account?: string;
  since?: Period;
}

/** The start of the period: by default the last thirty days and all future posts. */
type Period = "now" | "ever";

const RECENT_DAYS = -30;

const PAUSE_MS = 200;

/** Parses the address; invalid filters are left out. */
export function readSearch(search: Record<string, unknown>): PostSearch {
  const { q, state, account, since } = search;
  return {
    ...(typeof q === "string" && q !== "" ? { q } : {}),
    ...(STATES.includes(state as PostState) ? { state: state as PostState } : {}),
    ...(typeof account === "string" && account !== "" ? { account } : {}),
    ...(since === "now" || since === "ever" ? { since } : {}),
  };
}

/** The filter of the API. */
export const toFilter = ({ q, state, account, since }: PostSearch, now: Date): PostFilter => ({
  ...(since === "ever" ? {} : { startDate: since === "now" ? now.toISOString() : daysFrom(now, RECENT_DAYS) }),
  ...(q ? { q } : {}),
  ...(state ? { state: [state] } : {}),
  ...(account ? { platformId: account } : {}),
});

/** Search, state and account above the list, stored in the address. */
export function FilterBar({ search, onChange }: { search: PostSearch; onChange: (search: PostSearch) => void }) {
  const platforms = usePlatforms().data?.platforms ?? [];
  const [typed, setTyped] = useState(search.q ?? "");
  useEffect(() => setTyped(search.q ?? ""), [search.q]);
  useEffect(() => {
    if (typed === (search.q ?? "")) return;
    const timer = setTimeout(() => onChange(readSearch({ ...search, q: typed })), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, search, onChange]);
  const choose = (name: "state" | "account" | "since", value: string) =>
    onChange(readSearch({ ...search, [name]: value }));
  return (
    <search className="mb-4 flex flex-wrap gap-2">
      <div className="relative min-w-full flex-1 sm:min-w-52 sm:max-w-80">
        <Search aria-hidden className="absolute top-2 left-2.5 size-4 text-soft" />
        <input
          type="search"
          aria-label={postWords.searchLabel}
          placeholder={postWords.searchPlaceholder}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="h-8 w-full rounded-lg border border-line-strong/60 bg-surface pr-2 pl-8 text-[0.8125rem] placeholder:text-soft hover:border-line-strong"
        />
      </div>
      <SmallSelect
        label={postWords.state}
        value={search.state ?? ""}
        onChange={(event) => choose("state", event.target.value)}
      >
        <option value="">{postWords.allStates}</option>
        {STATES.map((state) => (
          <option key={state} value={state}>
            {postWords.states[state]}
          </option>
        ))}
      </SmallSelect>
      <SmallSelect
        label={postWords.account}
        className="max-w-44"
        value={search.account ?? ""}
        onChange={(event) => choose("account", event.target.value)}
      >
        <option value="">{postWords.allAccounts}</option>
        {platforms.map((platform) => (
          <option key={platform.id} value={platform.id}>
            {nameOf(platform)}
          </option>
        ))}
      </SmallSelect>
      <SmallSelect
        label={postWords.period}
        value={search.since ?? ""}
        onChange={(event) => choose("since", event.target.value)}
      >
        {Object.entries(postWords.periods).map(([value, label]) => (
          <option key={value} value={value === "recent" ? "" : value}>
            {label}
          </option>
        ))}
      </SmallSelect>
    </search>
  );
}
