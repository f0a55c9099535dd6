import { useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import type { Schemas } from "@/api/client";
import { useCreateFolder, useDeleteFolder, useRenameFolder } from "@/api/queries/media";
import { mediaWords } from "@/strings/media";
import { ui } from "@/strings/ui";
import { Button } from "@/ui/button";
import { Confirm, Dialog, DialogActions } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { toast } from "@/ui/toasts";
import { FormProblem, problemOf, tellFailure } from "../problem";

type Folder = Schemas["Folder"];

/** Creates a folder, or renames the given one. */
export function FolderDialog({ open, folder, onClose }: { open: boolean; folder: Folder | null; onClose: () => void }) {
  const create = useCreateFolder();
  const rename = useRenameFolder();
  const navigate = useNavigate();
  const change = folder ? rename : create;
  const close = () => {
    create.reset();
    rename.reset();
    onClose();
  };
  const made = ({ id, name }: Folder) => {
    close();
    if (folder) return;
    toast(mediaWords.folderCreated(name));
    void navigate({ to: "/media", search: { folder: id } });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name"));
    if (folder) rename.mutate({ id: folder.id, name }, { onSuccess: made });
    else create.mutate(name, { onSuccess: made });
  };
  return (
    <Dialog open={open} onClose={close} title={folder ? mediaWords.renameFolderTitle : mediaWords.newFolder}>
      <form onSubmit={submit} className="grid gap-4" noValidate>
        <FormProblem error={change.error} fields={["name"]} />
        <Field
          label={mediaWords.folderName}
          name="name"
          autoComplete="off"
          maxLength={255}
          defaultValue={folder?.name ?? ""}
          problem={problemOf(change.error, "name")}
        />
        <DialogActions>
          <Button onClick={close}>{ui.cancel}</Button>
          <Button kind="primary" type="submit" busy={change.isPending}>
            {folder ? mediaWords.renameFolder : mediaWords.createFolder}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The confirmation before a folder is deleted; its files stay. */
export function DeleteFolder({ folder, onClose }: { folder: Folder | null; onClose: () => void }) {
  const remove = useDeleteFolder();
  const navigate = useNavigate();
  const run = ({ id, name }: Folder) =>
    remove.mutate(id, {
      onSuccess: () => {
        toast(mediaWords.folderDeleted(name));
        void navigate({ to: "/media", search: {} });
      },
      onError: tellFailure,
      onSettled: onClose,
    });
  return (
    <Confirm
      open={folder !== null}
      onClose={onClose}
      title={mediaWords.deleteFolderTitle(folder?.name ?? "")}
      action={mediaWords.deleteFolder}
      busy={remove.isPending}
      onConfirm={() => folder && run(folder)}
    >
      <p>{mediaWords.deleteFolderText}</p>
    </Confirm>
  );
}
