import { useNavigate } from "@tanstack/react-router";
import { CirclePause, CirclePlay, Ellipsis, KeyRound, Pencil, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import {
  useDeleteWebhook,
  useRotateSecret,
  useTestWebhook,
  useUpdateWebhook,
  type Webhook,
} from "@/api/queries/webhooks";
import { ui } from "@/strings/ui";
import { webhookWords } from "@/strings/webhooks";
import { Button, IconButton } from "@/ui/button";
import { Confirm, Dialog } from "@/ui/dialog";
import { Menu, MenuItem, MenuLine } from "@/ui/menu";
import { Secret } from "@/ui/secret";
import { toast } from "@/ui/toasts";
import { tellFailure } from "../problem";
import { WebhookForm } from "./form";

type Open = "edit" | "rotate" | "remove" | null;

/** The actions of a webhook. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const [open, setOpen] = useState<Open>(null);
  const test = useTestWebhook();
  const update = useUpdateWebhook();
  const { id, disabled } = webhook;
  const close = () => setOpen(null);
  const turn = (disabled: boolean, undo?: () => void) => {
    const done = disabled ? webhookWords.switchedOff : webhookWords.switchedOn;
    update.mutate({ id, disabled }, { onSuccess: () => toast(done, undo), onError: tellFailure });
  };
  const tryOut = () => test.mutate(id, { onSuccess: () => toast(webhookWords.testSent), onError: tellFailure });
  return (
    <>
      <Button busy={test.isPending} onClick={tryOut}>
        <Send aria-hidden className="size-4" />
        {webhookWords.test}
      </Button>
      <Menu
        trigger={
          <IconButton label={ui.more} className="size-9">
            <Ellipsis aria-hidden className="size-4" />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil aria-hidden />} onSelect={() => setOpen("edit")}>
          {webhookWords.edit}
        </MenuItem>
        <MenuItem icon={<KeyRound aria-hidden />} onSelect={() => setOpen("rotate")}>
          {webhookWords.rotate}
        </MenuItem>
        <MenuItem
          icon={disabled ? <CirclePlay aria-hidden /> : <CirclePause aria-hidden />}
          disabled={update.isPending}
          onSelect={() => turn(!disabled, () => turn(disabled))}
        >
          {disabled ? webhookWords.enable : webhookWords.disable}
        </MenuItem>
        <MenuLine />
        <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={() => setOpen("remove")}>
          {webhookWords.remove}
        </MenuItem>
      </Menu>
      <Dialog open={open === "edit"} onClose={close} title={webhookWords.editTitle}>
        <Edit webhook={webhook} onDone={close} />
      </Dialog>
      <RotateDialog open={open === "rotate"} id={id} onClose={close} />
      <RemoveDialog open={open === "remove"} webhook={webhook} onClose={close} />
    </>
  );
}

function Edit({ webhook, onDone }: { webhook: Webhook; onDone: () => void }) {
  const update = useUpdateWebhook();
  const onSuccess = () => {
    onDone();
    toast(webhookWords.saved);
  };
  return (
    <WebhookForm
      before={webhook}
      action={webhookWords.save}
      error={update.error}
      busy={update.isPending}
      onCancel={onDone}
      onSend={(input) => update.mutate({ id: webhook.id, ...input }, { onSuccess })}
    />
  );
}

interface DialogProps {
  open: boolean;
  onClose: () => void;
}

function RotateDialog({ open, onClose, id }: DialogProps & { id: string }) {
  const rotate = useRotateSecret();
  const close = () => {
    rotate.reset();
    onClose();
  };
  if (rotate.data) {
    return (
      <Dialog open={open} onClose={close} title={webhookWords.onceTitle}>
        <Secret secret={rotate.data.secret} words={webhookWords.secret} onDone={close} />
      </Dialog>
    );
  }
  return (
    <Confirm
      open={open}
      onClose={close}
      title={webhookWords.rotateTitle}
      action={webhookWords.rotateAction}
      busy={rotate.isPending}
      onConfirm={() => rotate.mutate(id, { onError: tellFailure })}
    >
      <p>{webhookWords.rotateText}</p>
    </Confirm>
  );
}

function RemoveDialog({ open, onClose, webhook }: DialogProps & { webhook: Webhook }) {
  const remove = useDeleteWebhook();
  const navigate = useNavigate();
  const run = () =>
    remove.mutate(webhook.id, {
      onSuccess: () => {
        toast(webhookWords.removed);
        void navigate({ to: "/settings/webhooks" });
      },
      onError: (error) => {
        onClose();
        tellFailure(error);
      },
    });
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={webhookWords.removeTitle}
      action={webhookWords.remove}
      busy={remove.isPending}
      onConfirm={run}
    >
      <p className="break-all text-ink">{webhook.url}</p>
      <p>{webhookWords.removeText}</p>
    </Confirm>
  );
}
