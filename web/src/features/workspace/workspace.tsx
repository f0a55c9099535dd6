import { type FormEvent, useState } from "react";
import { useDeleteWorkspace, useLeaveWorkspace, useUpdateWorkspace } from "@/api/queries/workspace";
import { zones } from "@/lib/wall";
import { workspaceWords } from "@/strings/settings";
import { ui } from "@/strings/ui";
import { Button } from "@/ui/button";
import { Confirm, Dialog, DialogActions } from "@/ui/dialog";
import { Field, PasswordField, SmallSelect } from "@/ui/field";
import { Page, Section } from "@/ui/page";
import { CopyButton } from "@/ui/parts";
import { toast } from "@/ui/toasts";
import { FormProblem, problemOf, tellFailure } from "../problem";
import { useSession } from "../session";
import { type LatenessPolicy, labelOf, latenessChoices, optionOf, policyOf } from "./lateness";

/** The workspace's name, and leaving or deleting it. */
export function WorkspaceSettings() {
  const { workspace, may } = useSession();
  if (!workspace) return null;
  return (
    <Page title={workspaceWords.title}>
      <Rename name={workspace.name} disabled={!may("admin")} />
      <Section title={workspaceWords.id} intro={workspaceWords.idHint}>
        <p className="flex flex-wrap items-center gap-3">
          <code className="break-all font-mono">{workspace.id}</code>
          <CopyButton text={workspace.id} />
        </p>
      </Section>
      <Section title={workspaceWords.zone} intro={workspaceWords.zoneHint}>
        <TimeZone name={workspace.timeZone} disabled={!may("admin")} />
      </Section>
      <Section title={workspaceWords.late} intro={workspaceWords.lateHint}>
        <Lateness policy={workspace.latenessPolicy} disabled={!may("admin")} />
      </Section>
      <Section title={workspaceWords.danger}>
        <div className="grid gap-4">
          <Leave name={workspace.name} />
          {may("owner") && <Delete name={workspace.name} />}
        </div>
      </Section>
    </Page>
  );
}

function Rename({ name, disabled }: { name: string; disabled: boolean }) {
  const rename = useUpdateWorkspace();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name"));
    rename.mutate({ name }, { onSuccess: () => toast(workspaceWords.saved) });
  };
  return (
    <form onSubmit={submit} className="grid max-w-md gap-4" noValidate>
      <FormProblem error={rename.error} fields={["name"]} />
      <Field
        label={workspaceWords.name}
        name="name"
        defaultValue={name}
        disabled={disabled}
        problem={problemOf(rename.error, "name")}
      />
      {!disabled && (
        <div>
          <Button kind="primary" type="submit" busy={rename.isPending}>
            {workspaceWords.rename}
          </Button>
        </div>
      )}
    </form>
  );
}

function TimeZone({ name, disabled }: { name: string; disabled: boolean }) {
  const update = useUpdateWorkspace();
  const choose = (timeZone: string) =>
    update.mutate({ timeZone }, { onSuccess: () => toast(workspaceWords.saved), onError: tellFailure });
  return (
    <SmallSelect
      label={workspaceWords.zone}
      value={update.isPending ? (update.variables.timeZone ?? name) : name}
      disabled={disabled || update.isPending}
      onChange={(event) => choose(event.target.value)}
      className="max-w-md"
    >
      {zones(name).map((zone) => (
        <option key={zone}>{zone}</option>
      ))}
    </SmallSelect>
  );
}

function Lateness({ policy, disabled }: { policy: LatenessPolicy; disabled: boolean }) {
  const update = useUpdateWorkspace();
  const choose = (latenessPolicy: LatenessPolicy) =>
    update.mutate({ latenessPolicy }, { onSuccess: () => toast(workspaceWords.saved), onError: tellFailure });
  const shown = update.isPending ? (update.variables.latenessPolicy ?? null) : policy;
  return (
    <SmallSelect
      label={workspaceWords.askAfter}
      value={optionOf(shown)}
      disabled={disabled || update.isPending}
      onChange={(event) => choose(policyOf(event.target.value))}
      className="max-w-md"
    >
      {latenessChoices(shown).map((choice) => (
        <option key={optionOf(choice)} value={optionOf(choice)}>
          {labelOf(choice)}
        </option>
      ))}
    </SmallSelect>
  );
}

const goHome = () => location.assign("/");

function Leave({ name }: { name: string }) {
  const [asked, setAsked] = useState(false);
  const leave = useLeaveWorkspace();
  const run = () =>
    leave.mutate(undefined, {
      onSuccess: goHome,
      onError: (error) => {
        setAsked(false);
        tellFailure(error);
      },
    });
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <p className="max-w-prose text-soft">{workspaceWords.leaveText}</p>
      <Button onClick={() => setAsked(true)}>{workspaceWords.leave}</Button>
      <Confirm
        open={asked}
        onClose={() => setAsked(false)}
        title={workspaceWords.leaveTitle(name)}
        action={workspaceWords.leave}
        busy={leave.isPending}
        onConfirm={run}
      >
        <p>{workspaceWords.leaveText}</p>
      </Confirm>
    </div>
  );
}

function Delete({ name }: { name: string }) {
  const [asked, setAsked] = useState(false);
  const [typed, setTyped] = useState("");
  const remove = useDeleteWorkspace();
  const { me } = useSession();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const code = String(form.get("code") ?? "").trim();
    const body = { password: String(form.get("password")), ...(code ? { code } : {}) };
    remove.mutate(body, { onSuccess: goHome });
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <p className="max-w-prose text-soft">{workspaceWords.deleteText}</p>
      <Button kind="danger" onClick={() => setAsked(true)}>
        {workspaceWords.delete}
      </Button>
      <Dialog open={asked} onClose={() => setAsked(false)} title={workspaceWords.deleteTitle(name)}>
        <form onSubmit={submit} className="grid gap-4" noValidate>
          <p className="text-soft">{workspaceWords.deleteText}</p>
          <FormProblem error={remove.error} fields={["password", "code"]} />
          <Field
            label={workspaceWords.deleteConfirm(name)}
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.target.value)}
          />
          <PasswordField
            label={workspaceWords.present}
            name="password"
            autoComplete="current-password"
            problem={problemOf(remove.error, "password")}
          />
          {me?.secondFactor && (
            <Field
              label={workspaceWords.code}
              name="code"
              autoComplete="one-time-code"
              hint={workspaceWords.codeHint}
              problem={problemOf(remove.error, "code")}
            />
          )}
          <DialogActions>
            <Button onClick={() => setAsked(false)}>{ui.cancel}</Button>
            <Button kind="danger" type="submit" disabled={typed !== name} busy={remove.isPending}>
              {workspaceWords.delete}
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </div>
  );
}
