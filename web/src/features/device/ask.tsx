import { Check, TriangleAlert, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Schemas } from "@/api/client";
import { currentWorkspace } from "@/api/client";
import { type PendingDevice, useApproveDevice, useDenyDevice } from "@/api/queries/device";
import { useMe } from "@/api/queries/session";
import { deviceWords } from "@/strings/device";
import { Button } from "@/ui/button";
import { Select } from "@/ui/field";
import { Fact, Facts, Moment, Notice } from "@/ui/parts";
import { AuthFrame } from "../auth/frame";
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
  const workspaces = open(useMe().data);
  const [chosen, setChosen] = useState(currentWorkspace);
  const workspace = workspaces.find(({ id }) => id === chosen) ?? workspaces[0];
  const approve = useApproveDevice();
  const deny = useDenyDevice();
  const { userCode } = device;
  const isBusy = approve.isPending || deny.isPending;
  const onApprove = () => {
    deny.reset();
    if (!workspace) return;
    approve.mutate({ userCode, organizationId: workspace.id }, { onSuccess: () => onDecided("approved") });
  };
  const onDeny = () => {
    approve.reset();
    deny.mutate(userCode, { onSuccess: () => onDecided("denied") });
  };
  return (
    <AuthFrame
      follows
      title={deviceWords.askTitle}
      below={
        <div className="grid gap-3">
          {below}
          <div>
            <Button size="small" kind="ghost" className="-ml-3" onClick={onAnother}>
              {deviceWords.another}
            </Button>
          </div>
        </div>
      }
    >
      <Who device={device} />
      <Notice tone="warn">
        <p className="flex gap-3">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>{deviceWords.warning}</span>
        </p>
      </Notice>
      <FormProblem error={approve.error ?? deny.error} fields={[]} />
      <Workspace workspaces={workspaces} chosen={workspace} onChoose={setChosen} />
      <div className="grid grid-cols-2 gap-3">
        <Button className="h-11" disabled={isBusy || !workspace} busy={approve.isPending} onClick={onApprove}>
          {!approve.isPending && <Check aria-hidden className="size-4 text-good" />}
          {deviceWords.approve}
        </Button>
        <Button className="h-11" disabled={isBusy} busy={deny.isPending} onClick={onDeny}>
          {!deny.isPending && <X aria-hidden className="size-4 text-bad" />}
          {deviceWords.deny}
        </Button>
      </div>
    </AuthFrame>
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

/** The workspace of the key: a choice, if there are several. */
function Workspace({ workspaces, chosen, onChoose }: WorkspaceProps) {
  if (!chosen) return <p>{deviceWords.noWorkspace}</p>;
  return (
    <>
      {workspaces.length > 1 && (
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
      )}
      <p className="break-words text-soft">{deviceWords.ability(chosen.name)}</p>
    </>
  );
}
