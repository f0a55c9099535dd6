import { short } from "@/lib/time";
import { postWords } from "@/strings/posts";
import { useAccountName } from "../accounts/names";
import type { Stayed } from "./stayed";

/** Posts that a batch left unchanged: each with its account, its time and the reason. */
export function StayedList({ title, stayed }: { title: string; stayed: readonly Stayed[] }) {
  const nameOfAccount = useAccountName();
  const place = ({ integrationId, scheduledFor }: Stayed["post"]) =>
    [nameOfAccount(integrationId), scheduledFor && short(scheduledFor, new Date())].filter(Boolean).join(" · ");
  return (
    <section aria-label={title} className="rounded-lg bg-sunken px-3 py-2">
      <p className="font-medium">{title}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard. */}
      <ul tabIndex={0} className="mt-2 grid max-h-60 gap-2.5 overflow-y-auto">
        {stayed.map(({ post, why }) => (
          <li key={post.id} className="min-w-0">
            <p className="truncate">{post.content || postWords.noCaption}</p>
            <p className="truncate text-soft text-xs">{place(post)}</p>
            <p className="break-words text-xs">{why}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
