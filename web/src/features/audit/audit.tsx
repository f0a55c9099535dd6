import { History } from "lucide-react";
import type { Schemas } from "@/api/client";
import { useAudit } from "@/api/queries/workspace";
import { auditWords } from "@/strings/settings";
import { Button } from "@/ui/button";
import { EmptyState, ErrorState, Page, Rows, Skeleton } from "@/ui/page";
import { Fact, Facts, Initials, Moment } from "@/ui/parts";
import { told } from "../problem";
import { ForAdmins } from "../settings-nav";

type Entry = Schemas["AuditEntry"];

/** The audit trail. */
export function Audit() {
  return (
    <Page title={auditWords.title} intro={auditWords.intro}>
      <ForAdmins>
        <Entries />
      </ForAdmins>
    </Page>
  );
}

function Entries() {
  const pages = useAudit();
  if (pages.isPending) return <Skeleton rows={6} />;
  if (pages.isError) return <ErrorState {...told(pages.error)} onRetry={() => void pages.refetch()} />;
  const entries = pages.data.pages.flatMap((page) => page.entries);
  if (entries.length === 0) return <EmptyState icon={History} title={auditWords.emptyTitle} />;
  return (
    <>
      <Rows label={auditWords.title}>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} />
        ))}
      </Rows>
      {pages.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {auditWords.more}
          </Button>
        </div>
      )}
    </>
  );
}

const actorOf = ({ actor }: Entry): string =>
  actor.kind === "system"
    ? auditWords.system
    : actor.kind === "key"
      ? auditWords.key(actor.name ?? "")
      : (actor.name ?? "");

function Row({ entry }: { entry: Entry }) {
  const actor = actorOf(entry);
  const details = Object.entries((entry.detail ?? {}) as Record<string, unknown>);
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <Initials name={actor || "·"} />
      <div className="min-w-0 flex-1 pt-1.5">
        <p className="break-words">
          <span className="font-medium">{actor}</span> {auditWords.actions[entry.action]}
        </p>
        <details className="mt-0.5">
          <summary className="w-fit rounded text-soft text-xs hover:text-ink">{auditWords.details}</summary>
          <div className="mt-2 rounded-lg bg-sunken px-4 py-3 text-xs">
            <Facts>
              {entry.target && <Fact name={auditWords.target}>{entry.target}</Fact>}
              {entry.address && <Fact name={auditWords.address}>{entry.address}</Fact>}
              {details.map(([name, value]) => (
                <Fact key={name} name={name}>
                  {typeof value === "string" ? value : JSON.stringify(value)}
                </Fact>
              ))}
            </Facts>
          </div>
        </details>
      </div>
      <span className="pt-1.5 text-soft">
        <Moment at={entry.createdAt} />
      </span>
    </li>
  );
}
