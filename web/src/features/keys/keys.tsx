import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { useKeys, useRevokeAllKeys, useRevokeKey } from "@/api/queries/workspace";
import { accessWords } from "@/strings/access";
import { keyWords } from "@/strings/settings";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/dialog";
import { EmptyState, Page, Rows } from "@/ui/page";
import { Moment } from "@/ui/parts";
import { toast } from "@/ui/toasts";
import { useAccountName } from "../accounts/names";
import { Loaded, tellFailure } from "../problem";
import { useSession } from "../session";
import { ForAdmins } from "../settings-nav";
import { shortAccounts, shortScopes } from "./access";
import { CreateKeyDialog } from "./create";

type Key = Schemas["Key"];

/** The workspace's keys. */
export function Keys() {
  const { may } = useSession();
  const [creating, setCreating] = useState(false);
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden className="size-4" />
      {keyWords.create}
    </Button>
  );
  return (
    <Page title={keyWords.title} intro={keyWords.intro} actions={may("admin") && create}>
      <ForAdmins>
        <KeyList />
        <CreateKeyDialog open={creating} onClose={() => setCreating(false)} />
      </ForAdmins>
    </Page>
  );
}

function KeyList() {
  const keys = useKeys();
  const revoke = useRevokeKey();
  const [asked, setAsked] = useState<Key | null>(null);
  const run = (key: Key) =>
    revoke.mutate(key.id, {
      onSuccess: () => toast(keyWords.revoked(key.name)),
      onError: tellFailure,
      onSettled: () => setAsked(null),
    });
  return (
    <Loaded query={keys}>
      {({ keys }) => (
        <>
          {keys.length === 0 ? (
            <EmptyState icon={KeyRound} title={keyWords.emptyTitle}>
              {keyWords.emptyText}
            </EmptyState>
          ) : (
            <Rows label={keyWords.title}>
              {keys.map((key) => (
                <Row key={key.id} apiKey={key} onRevoke={() => setAsked(key)} />
              ))}
            </Rows>
          )}
          {keys.length > 1 && <RevokeAll />}
          <Confirm
            open={asked !== null}
            onClose={() => setAsked(null)}
            title={keyWords.revokeTitle(asked?.name ?? "")}
            action={keyWords.revoke}
            busy={revoke.isPending}
            onConfirm={() => asked && run(asked)}
          >
            <p>{keyWords.revokeText}</p>
          </Confirm>
        </>
      )}
    </Loaded>
  );
}

/** Ends every key, for when one does harm and it is unknown which. */
function RevokeAll() {
  const [isAsked, setAsked] = useState(false);
  const revoke = useRevokeAllKeys();
  const run = () =>
    revoke.mutate(undefined, {
      onSuccess: ({ revoked }) => toast(keyWords.all.done(revoked)),
      onError: tellFailure,
      onSettled: () => setAsked(false),
    });
  return (
    <div className="mt-4 flex justify-end">
      <Button size="small" kind="danger" onClick={() => setAsked(true)}>
        {keyWords.all.button}
      </Button>
      <Confirm
        open={isAsked}
        onClose={() => setAsked(false)}
        title={keyWords.all.title}
        action={keyWords.all.button}
        busy={revoke.isPending}
        onConfirm={run}
      >
        <p>{keyWords.all.text}</p>
      </Confirm>
    </div>
  );
}

function Row({ apiKey, onRevoke }: { apiKey: Key; onRevoke: () => void }) {
  const { name, lastFour, lastUsedAt, createdAt, expiresAt } = apiKey;
  const hasEnded = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3.5">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-medium">{name}</span>
          <code className="font-mono text-soft text-xs">svc_sk_…{lastFour}</code>
        </p>
        <Allowed apiKey={apiKey} />
        <p className="text-soft">
          {lastUsedAt ? (
            <>
              {keyWords.used} <Moment at={lastUsedAt} />
            </>
          ) : (
            keyWords.neverUsed
          )}
          {" · "}
          {keyWords.createdAt} <Moment at={createdAt} />
          {" · "}
          {expiresAt ? (
            <span className={hasEnded ? "text-bad" : ""}>
              {hasEnded ? keyWords.ended : keyWords.endsAt} <Moment at={expiresAt} />
            </span>
          ) : (
            keyWords.neverEnds
          )}
        </p>
      </div>
      <Button size="small" kind="danger" onClick={onRevoke} aria-label={`${keyWords.revoke} ${name}`}>
        {keyWords.revoke}
      </Button>
    </li>
  );
}

/** What a key may do; the names of its accounts are in the tooltip. */
function Allowed({ apiKey: { scopes, platformIds } }: { apiKey: Key }) {
  const accountName = useAccountName(accessWords.shortAccounts.disconnected);
  const names = (platformIds ?? []).map(accountName);
  const short = shortScopes(scopes);
  return (
    <p title={names.filter(Boolean).join(", ") || undefined} className="break-words">
      {platformIds ? keyWords.allows(short, shortAccounts(names)) : short}
    </p>
  );
}
