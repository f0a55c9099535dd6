import type { Schemas } from "@/api/client";
import { useActivity } from "@/api/queries/session";
import { securityWords } from "@/strings/security";
import { Button } from "@/ui/button";
import { ErrorState, Rows, Section, Skeleton } from "@/ui/page";
import { Moment } from "@/ui/parts";
import { told } from "../problem";

type Entry = Schemas["ActivityEntry"];

/** Sign-ins, failed ones included, and changes of the account's credentials. */
export function Activity() {
  return (
    <Section title={securityWords.activity} intro={securityWords.activityText}>
      <Entries />
    </Section>
  );
}

function Entries() {
  const pages = useActivity();
  if (pages.isPending) return <Skeleton rows={3} />;
  if (pages.isError) return <ErrorState {...told(pages.error)} onRetry={() => void pages.refetch()} />;
  return (
    <>
      <Rows label={securityWords.activity}>
        {pages.data.pages
          .flatMap((page) => page.entries)
          .map((entry) => (
            <Row key={entry.id} entry={entry} />
          ))}
      </Rows>
      {pages.hasNextPage && (
        <div className="mt-4">
          <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {securityWords.moreActivity}
          </Button>
        </div>
      )}
    </>
  );
}

function Row({ entry: { action, actor, address, count, createdAt } }: { entry: Entry }) {
  const from = actor.kind === "system" ? securityWords.bySystem : (address ?? securityWords.noAddress);
  const parts = [from, ...(count > 1 ? [securityWords.times(count)] : [])];
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-3">
      <div className="min-w-48 flex-1">
        <p className="font-medium">{securityWords.actions[action]}</p>
        <p className="break-all text-soft">{parts.join(" · ")}</p>
      </div>
      <span className="text-soft">
        <Moment at={createdAt} />
      </span>
    </li>
  );
}
