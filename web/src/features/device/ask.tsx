import { Check, TriangleAlert, X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { Schemas } from "@/api/client";
import { currentWorkspace } from "@/api/client";
import { type PendingDevice, useApproveDevice, useDenyDevice } from "@/api/queries/device";
import { usePlatformsOf } from "@/api/queries/platforms";
import { useMe } from "@/api/queries/session";
import { accessWords } from "@/strings/access";
import { deviceWords } from "@/strings/device";
import { Button } from "@/ui/button";
import { Select } from "@/ui/field";
import { Fact, Facts, Moment, Notice } from "@/ui/parts";
import { nameOf } from "../accounts/names";
import { AuthFrame } from "../auth/frame";
import { type Access, accessOf, describeAccess, missingIn, requestOf, withIncluded } from "../keys/access";
import { ACCESS_FIELDS, AccessFields } from "../keys/access-fields";
import { FormProblem } from "../problem";

/** The user's decision. */
export type Decision = "approved" | "denied";

interface Props {
  device: PendingDevice;
  onDecided: (decision: Decision) => void;
  onAnother: () => void;
  below: ReactNode;
}

/** The workspaces in which the user may create keys. */
const open = (me: Schemas["Me"] | undefined) => (me?.organizations ?? []).filter(({ role }) => role !== "member");

/** The program, when it asked, for what, and the decision; both buttons have equal weight. */
export function Ask({ device, onDecided, onAnother, below }: Props) {
  const { workspace, workspaces, platforms, access, setAccess, choose } = useGrant(device);
  const { approve, deny, error } = useDecision(device.userCode, onDecided);
  const summary = useId();
  const asked = withIncluded(device.scopes);
  const isBusy = approve.isPending || deny.isPending;
  return (
    <AuthFrame follows wide title={deviceWords.askTitle} below={<Below onAnother={onAnother}>{below}</Below>}>
      <Who device={device} />
      <Notice tone="warn">
        <p className="flex gap-3">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>{deviceWords.warning}</span>
        </p>
      </Notice>
      <FormProblem error={error} fields={ACCESS_FIELDS} />
      <WorkspaceSelect workspaces={workspaces} chosen={workspace} onChoose={choose} />
      {workspace && (
        <AccessFields access={access} onChange={setAccess} asked={asked} platforms={platforms} error={error} />
      )}
      <div id={summary}>
        <Summary workspace={workspace} access={access} platforms={platforms.data?.platforms ?? []} />
      </div>
      <div className="grid grid-cols-2 gap-3">
        <Button
          className="h-11"
          aria-describedby={summary}
          disabled={isBusy || !workspace || missingIn(access) !== null}
          busy={approve.isPending}
          onClick={() => workspace && approve.run(workspace.id, access)}
        >
          {!approve.isPending && <Check aria-hidden className="size-4 text-good" />}
          {deviceWords.approve}
        </Button>
        <Button className="h-11" disabled={isBusy} busy={deny.isPending} onClick={deny.run}>
          {!deny.isPending && <X aria-hidden className="size-4 text-bad" />}
          {deviceWords.deny}
        </Button>
      </div>
    </AuthFrame>
  );
}

/** What an approval grants: the workspace of the key, and the access to it. */
function useGrant(device: PendingDevice) {
  const workspaces = open(useMe().data);
  const [chosen, setChosen] = useState(currentWorkspace);
  const [access, setAccess] = useState(() => accessOf(withIncluded(device.scopes)));
  const workspace = workspaces.find(({ id }) => id === chosen) ?? workspaces[0];
  const platforms = usePlatformsOf(workspace?.id);
  const choose = (id: string) => {
    setChosen(id);
    // No account of one workspace belongs to another; a limit to accounts stays, and they are chosen anew.
    setAccess({ ...access, platformIds: access.platformIds && [] });
  };
  return { workspace, workspaces, platforms, access, setAccess, choose };
}

/** The two decisions, and the error of the last one. */
function useDecision(userCode: string, onDecided: (decision: Decision) => void) {
  const approve = useApproveDevice();
  const deny = useDenyDevice();
  const runApprove = (organizationId: string, access: Access) => {
    deny.reset();
    const request = { userCode, organizationId, ...requestOf(access, new Date()) };
    approve.mutate(request, { onSuccess: () => onDecided("approved") });
  };
  const runDeny = () => {
    approve.reset();
    deny.mutate(userCode, { onSuccess: () => onDecided("denied") });
  };
  return {
    approve: { isPending: approve.isPending, run: runApprove },
    deny: { isPending: deny.isPending, run: runDeny },
    error: approve.error ?? deny.error,
  };
}

function Below({ onAnother, children }: { onAnother: () => void; children: ReactNode }) {
  return (
    <div className="grid gap-3">
      {children}
      <div>
        <Button size="small" kind="ghost" className="-ml-3" onClick={onAnother}>
          {deviceWords.another}
        </Button>
      </div>
    </div>
  );
}

function Who({ device: { userCode, clientName, address, createdAt } }: { device: PendingDevice }) {
  return (
    <>
      <p className="rounded-xl bg-sunken px-4 py-3 text-center font-mono font-semibold text-lg tracking-wider">
        {userCode}
      </p>
      <Facts>
        <Fact name={deviceWords.program}>
          <span className="font-medium">{clientName ?? deviceWords.nameless}</span>
          {clientName && <span className="block text-soft">{deviceWords.itself}</span>}
        </Fact>
        <Fact name={deviceWords.from}>{address ?? deviceWords.fromUnknown}</Fact>
        <Fact name={deviceWords.asked}>
          <Moment at={createdAt} />
        </Fact>
      </Facts>
    </>
  );
}

type Organization = Schemas["Organization"];

interface WorkspaceProps {
  workspaces: Organization[];
  chosen: Organization | undefined;
  onChoose: (id: string) => void;
}

/** The choice of the key's workspace, if there are several. */
function WorkspaceSelect({ workspaces, chosen, onChoose }: WorkspaceProps) {
  if (!chosen || workspaces.length === 1) return null;
  return (
    <Select
      label={deviceWords.workspace}
      hint={deviceWords.workspaceHint}
      value={chosen.id}
      onChange={(event) => onChoose(event.target.value)}
    >
      {workspaces.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

interface SummaryProps {
  workspace: Organization | undefined;
  access: Access;
  platforms: readonly Schemas["Platform"][];
}

/** What an approval would grant, or why there can be none. */
function Summary({ workspace, access, platforms }: SummaryProps) {
  if (!workspace) return <p>{deviceWords.noWorkspace}</p>;
  const missing = missingIn(access);
  if (missing) return <p role="status">{accessWords.missing[missing]}</p>;
  const shownNames = new Map(platforms.map((platform) => [platform.id, nameOf(platform)]));
  const names = access.platformIds?.map((id) => shownNames.get(id) ?? "") ?? [];
  return (
    <p className="break-words text-soft">
      {deviceWords.ability(workspace.name, describeAccess(access, names, new Date()))}
    </p>
  );
}
