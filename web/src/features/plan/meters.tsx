import type { Schemas } from "@/api/client";
import { bytes, count, fill } from "@/lib/amount";
import { home } from "@/strings/home";
import { Meter } from "@/ui/parts";

/** The usage of the plan. Unlimited amounts have no bar. */
export function UsageMeters({ usage }: { usage: Schemas["Usage"] }) {
  const { posts, storage, platforms, aiCredits } = usage;
  const rows = [
    { label: home.posts, used: posts.used, limit: posts.limit, text: count },
    { label: home.storage, used: storage.usedBytes, limit: storage.limitBytes, text: bytes },
    { label: home.accounts, used: platforms.used, limit: platforms.limit, text: count },
    { label: home.credits, used: aiCredits.used, limit: aiCredits.limit, text: count },
  ];
  return (
    <div className="grid gap-4">
      {rows.map(({ label, used, limit, text }) =>
        limit === null ? (
          <p key={label} className="flex items-baseline justify-between gap-4">
            <span className="text-soft">{label}</span>
            <span className="font-medium tabular-nums">{text(used)}</span>
          </p>
        ) : (
          <Meter key={label} label={label} value={fill(used, limit)} text={home.of(text(used), text(limit))} />
        ),
      )}
    </div>
  );
}
