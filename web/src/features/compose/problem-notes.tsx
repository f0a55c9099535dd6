import { CircleAlert } from "lucide-react";
import { nameOf } from "../accounts/names";
import type { Problem } from "./problems";
import { useComposing } from "./use-composition";

/** Problems beside their fields; with several accounts, each with its account. */
export function ProblemNotes({ id, problems }: { id?: string; problems: readonly Problem[] }) {
  const { doc, platforms } = useComposing();
  if (problems.length === 0) return null;
  const whose = (account: string | null) => {
    const platform = doc.accounts.length > 1 && platforms.find((platform) => platform.id === account);
    return platform ? `${nameOf(platform)}: ` : "";
  };
  return (
    <ul id={id} data-problems className="grid gap-1 text-[0.8125rem] text-bad">
      {problems.map(({ account, place, media, text }) => (
        <li key={`${account} ${place} ${media} ${text}`} className="flex items-start gap-1.5">
          <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          <span className="min-w-0 break-words">
            {whose(account)}
            {text}
          </span>
        </li>
      ))}
    </ul>
  );
}
