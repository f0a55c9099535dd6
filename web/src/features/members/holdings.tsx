import type { ReactNode } from "react";
import { useHoldings } from "@/api/queries/workspace";
import { memberWords } from "@/strings/settings";
import { Loaded } from "../problem";

/** What a member loses with their role, by name: their keys, and the webhooks whose secret they know. */
export function Holdings({ userId }: { userId: string }) {
  return (
    <Loaded query={useHoldings(userId)} rows={2}>
      {({ keys, webhooks }) => (
        <>
          {keys.length + webhooks.length === 0 && <p>{memberWords.nothingHeld}</p>}
          <Names title={memberWords.keysEnd}>
            {keys.map(({ id, name, lastFour }) => (
              <li key={id}>{memberWords.keyShown(name, lastFour)}</li>
            ))}
          </Names>
          <Names title={memberWords.webhooksStay}>
            {webhooks.map(({ id, url }) => (
              <li key={id}>{url}</li>
            ))}
          </Names>
        </>
      )}
    </Loaded>
  );
}

function Names({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <div>
      <p>{title}</p>
      <ul className="list-disc break-all pl-5 text-ink">{children}</ul>
    </div>
  );
}
