/** The problems while composing: validated shortly after the last change. */
import { useEffect, useMemo, useState } from "react";
import type { Schemas } from "@/api/client";
import { useValidation } from "@/api/queries/compose";
import { composeWords } from "@/strings/compose";
import { print } from "./composition";
import { merged, ownProblems, type Problem, problemsOf, type Verdict, verdictsOf } from "./problems";
import { isForInbox, saidTo } from "./settings";
import type { Composing } from "./use-composition";

type CreatePost = Schemas["CreatePost"];

const PAUSE_MS = 350;

export interface Found {
  /** The problems that are known without a request. */
  own: readonly Problem[];
  problems: readonly Problem[];
  /** Possible problems, by account. */
  warnings: readonly { account: string; text: string }[];
  /** Whether the result is for the shown content. */
  isCurrent: boolean;
}

/** The problems of a composition, including those of the last attempt to publish. */
export function useProblems(composing: Composing, verdicts: readonly Verdict[]): Found {
  const { doc, schemas, zone, health, platforms } = composing;
  const bodies = useMemo(() => bodiesOf(composing), [composing]);
  const asked = useLater(JSON.stringify(bodies));
  const validation = useValidation(
    useMemo(() => JSON.parse(asked) as CreatePost[], [asked]),
    composing.kind !== undefined,
  );
  const kind = composing.kind ?? null;
  return useMemo(() => {
    const told = verdictsOf(validation.data ?? []).filter(
      ({ account }) => account === null || doc.accounts.includes(account),
    );
    const own = [...ownProblems(doc, schemas, { kind, zone }), ...unavailable(doc.accounts, platforms)];
    const said = [...told, ...verdicts].flatMap((verdict) => problemsOf(verdict, kind));
    // A missing choice is described only by the dashboard's own text.
    const others = said.filter(({ place }) => !own.some((problem) => problem.place === place));
    const restricted = doc.when.mode === "now" ? restrictions(doc, health) : [];
    return {
      own,
      problems: merged([...own, ...restricted, ...others]),
      warnings: warningsOf(validation.data ?? []),
      isCurrent: asked === JSON.stringify(bodies) && !validation.isFetching && !validation.isPlaceholderData,
    };
  }, [validation, verdicts, doc, schemas, kind, zone, health, platforms, asked, bodies]);
}

/** One request for accounts whose posts have equal content. A blank replaces a caption that is empty yet. */
function bodiesOf({ doc, schemas, kind, at }: Composing): CreatePost[] {
  const bodies = new Map<string, CreatePost>();
  for (const account of doc.accounts) {
    const said = schemas.has(account) ? saidTo(doc, account, schemas.get(account), kind ?? null) : null;
    if (!said) continue;
    const like = print(said);
    const found = bodies.get(like);
    if (found) found.platformIds.push(account);
    else {
      const when = at === null ? { mode: "now" as const } : { mode: "schedule" as const, scheduledFor: iso(at) };
      const { mediaIds, settings } = said;
      const content = said.content || " ";
      bodies.set(like, {
        platformIds: [account],
        ...when,
        content,
        mediaIds: [...mediaIds],
        settings: { ...settings },
      });
    }
  }
  return [...bodies.values()];
}

const iso = (at: number) => new Date(at).toISOString();

function unavailable(accounts: readonly string[], platforms: Composing["platforms"]): Problem[] {
  const isReady = (account: string) => {
    const platform = platforms.find(({ id }) => id === account);
    return platforms.length === 0 || (platform && !platform.disabled && !platform.refreshNeeded);
  };
  return accounts
    .filter((account) => !isReady(account))
    .map((account) => ({ place: "accounts", account, text: composeWords.accountUnavailable }));
}

/** The provider's restrictions that block posts of these accounts now. */
function restrictions({ accounts, settings }: Composing["doc"], health: Composing["health"]): Problem[] {
  return accounts.flatMap((account) => {
    const stops = isForInbox(settings[account] ?? {}) ? ["banned"] : ["banned", "direct_posts", "active_users"];
    const said = health.get(account)?.restrictions ?? [];
    const texts = said.filter(({ kind }) => stops.includes(kind)).map(({ message }) => message);
    return texts.map((text) => ({ place: "", account, text }));
  });
}

function warningsOf(answers: readonly { results: readonly Schemas["ValidateResult"][] }[]): Found["warnings"] {
  return answers.flatMap(({ results }) =>
    results.flatMap((result) =>
      result.status === "valid"
        ? result.warnings.map(({ message }) => ({ account: result.platformId, text: message }))
        : [],
    ),
  );
}

function useLater(value: string): string {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return later;
}
