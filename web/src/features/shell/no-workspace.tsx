import { Link } from "@tanstack/react-router";
import { Layers } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useCreateWorkspace } from "@/api/queries/workspace";
import { shell } from "@/strings/shell";
import { ui } from "@/strings/ui";
import { Button, buttonClass } from "@/ui/button";
import { Dialog, DialogActions } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { EmptyState, Page } from "@/ui/page";
import { toast } from "@/ui/toasts";
import { FormProblem, problemOf } from "../problem";
import { useSwitchWorkspace } from "../session";

/** The page for users without a workspace. */
export function NoWorkspace() {
  const [creating, setCreating] = useState(false);
  return (
    <Page title={shell.home}>
      <EmptyState
        icon={Layers}
        title={shell.noWorkspaceTitle}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button kind="primary" onClick={() => setCreating(true)}>
              {shell.newWorkspace}
            </Button>
            <Link to="/settings/profile" className={buttonClass()}>
              {shell.profile}
            </Link>
            <Link to="/settings/security" className={buttonClass()}>
              {shell.security}
            </Link>
          </div>
        }
      >
        {shell.noWorkspaceText}
      </EmptyState>
      <NewWorkspaceDialog open={creating} onClose={() => setCreating(false)} />
    </Page>
  );
}

/** Creates a workspace and switches to it. */
export function NewWorkspaceDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const create = useCreateWorkspace();
  const switchTo = useSwitchWorkspace();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate(String(new FormData(event.currentTarget).get("name")), {
      onSuccess: ({ id, name }) => {
        onClose();
        switchTo(id);
        toast(shell.workspaceCreated(name));
      },
    });
  };
  return (
    <Dialog open={open} onClose={onClose} title={shell.newWorkspace}>
      <form onSubmit={submit} className="grid gap-4" noValidate>
        <FormProblem error={create.error} fields={["name"]} />
        <Field label={shell.workspaceName} name="name" autoFocus problem={problemOf(create.error, "name")} />
        <DialogActions>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button kind="primary" type="submit" busy={create.isPending}>
            {shell.create}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
