/** The problems of a composition, each with its place on the page. */
import { ApiError, type Schemas } from "@/api/client";
import { words } from "@/lib/words";
import { composeWords } from "@/strings/compose";
import { type Composition, plannedAt } from "./composition";
import { BRANDED, fieldsFor, hasField, isForInbox, type Kind, OWN_BRAND, PRIVACY } from "./settings";

/** A place on the page: `content`, `media`, `settings.title`, `when`, `accounts`; any other is shown at the top. */
export interface Problem {
  place: string;
  /** The account; null for all. */
  account: string | null;
  /** The index of the photo or video, from 0. */
  media?: number;
  text: string;
}

type PlatformSchema = Schemas["PlatformSchema"];

/** The service's response for one account's post. */
export interface Verdict {
  account: string | null;
  error: Schemas["Error"];
}

type Path = (string | number)[];

interface Detail {
  path: Path;
  code: string;
  message: string;
}

/** The problems in an error; one without a place if it lists none. */
export function problemsOf({ account, error }: Verdict, kind: Kind): Problem[] {
  const details = Array.isArray(error.details) ? (error.details as Detail[]) : [];
  if (error.code === "platform_not_found") {
    return [{ place: "accounts", account, text: composeWords.accountUnavailable }];
  }
  if (details.length === 0) return [{ place: "", account, text: error.message }];
  return details.map((detail) => placed(detail, account, kind));
}

function placed({ path, code, message }: Detail, account: string | null, kind: Kind): Problem {
  const [first, second] = path;
  const names = composeWords.subjects;
  if (first === "mediaIds") {
    if (typeof second !== "number") return { place: "media", account, text: told(names.media, message) };
    const subject = kind === "video" ? names.video : kind === "image" ? names.photo(second + 1) : names.media;
    const text = code === "not_found" ? composeWords.mediaMissing(subject) : told(subject, message);
    return { place: "media", account, media: second, text };
  }
  if (first === "content") return { place: "content", account, text: told(names.content, message) };
  if (first === "scheduledFor") return { place: "when", account, text: told(names.time, message) };
  if (first === "platformIds") return { place: "accounts", account, text: told(names.account, message) };
  if (first === "settings" && typeof second === "string") {
    const subject = composeWords.settings[second] ?? words(second);
    return { place: `settings.${second}`, account, text: told(subject, message) };
  }
  if (first === "comments" && typeof second === "number") {
    return { place: "", account, text: told(names.comment(second + 1), message) };
  }
  return { place: "", account, text: told(path.join(" "), message) };
}

/** Adds the subject to a message that lacks it, such as "must be at most 20 MB". */
function told(subject: string, message: string): string {
  const text = `${subject} ${message}`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

/** The problems that are known without a request: required choices that are not made. */
export function ownProblems(
  doc: Composition,
  schemas: ReadonlyMap<string, PlatformSchema>,
  { kind, zone }: { kind: Kind; zone: string },
): Problem[] {
  const found: Problem[] = doc.accounts.flatMap((account) => {
    const schema = schemas.get(account);
    return schema ? choicesMissing(doc, account, fieldsFor(schema, kind, doc.settings[account] ?? {})) : [];
  });
  if (doc.accounts.length === 0) found.push({ place: "accounts", account: null, text: composeWords.chooseAccount });
  if (doc.when.mode === "schedule" && plannedAt(doc.when, zone) === null) {
    found.push({ place: "when", account: null, text: composeWords.chooseTime });
  }
  return found;
}

function choicesMissing(doc: Composition, account: string, fields: Schemas["SettingField"][]): Problem[] {
  const settings = doc.settings[account] ?? {};
  if (isForInbox(settings)) return [];
  const found: Problem[] = [];
  if (hasField(fields, PRIVACY) && typeof settings[PRIVACY] !== "string") {
    found.push({ place: `settings.${PRIVACY}`, account, text: composeWords.choosePrivacy });
  }
  if (isUndecided(doc, account)) {
    found.push({ place: `settings.${BRANDED}`, account, text: composeWords.disclosure.undecided });
  }
  return found;
}

/** Whether the disclosure is on but empty: then it cannot be published. */
export function isUndecided(doc: Composition, account: string): boolean {
  const settings = doc.settings[account] ?? {};
  const isOpen = doc.disclosed.includes(account) && !isForInbox(settings);
  return isOpen && settings[BRANDED] !== true && settings[OWN_BRAND] !== true;
}

/** The result of a validation, as problems and warnings. */
export function verdictsOf(
  answers: readonly {
    body: Schemas["CreatePost"];
    results: readonly Schemas["ValidateResult"][];
    error: unknown;
  }[],
): Verdict[] {
  return answers.flatMap(({ body, results, error }): Verdict[] => {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) {
      const account = body.platformIds.length === 1 ? (body.platformIds[0] ?? null) : null;
      return [{ account, error: { code: error.code, message: error.message, details: error.details } }];
    }
    return results.flatMap((result) =>
      result.status === "failed" ? [{ account: result.platformId, error: result.error }] : [],
    );
  });
}

/** Merges the same problem of several accounts into one for all. */
export function merged(problems: readonly Problem[]): Problem[] {
  const byText = new Map<string, Problem>();
  for (const problem of problems) {
    const like = `${problem.place} ${problem.media ?? ""} ${problem.text}`;
    const found = byText.get(like);
    if (!found) byText.set(like, problem);
    else if (found.account !== problem.account) byText.set(like, { ...found, account: null });
  }
  return [...byText.values()];
}

/** The problems of a place, of an account or of all. */
export const at = (problems: readonly Problem[], place: string, accounts?: readonly string[]): Problem[] =>
  problems.filter(
    (problem) =>
      problem.place === place && (!accounts || problem.account === null || accounts.includes(problem.account)),
  );

/** The problems to show: of places that the user has changed, or all after an attempt to publish. */
export const visible = (problems: readonly Problem[], touched: ReadonlySet<string>, tried: boolean): Problem[] =>
  problems.filter(({ place }) => tried || place === "" || touched.has(place.split(".")[0] ?? ""));
