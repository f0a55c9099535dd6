import { useCreateWebhook } from "@/api/queries/webhooks";
import { webhookWords } from "@/strings/webhooks";
import { Dialog } from "@/ui/dialog";
import { Secret } from "@/ui/secret";
import { WebhookForm } from "./form";

/** Creates a webhook, and shows its secret once. */
export function CreateWebhookDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const create = useCreateWebhook();
  const close = () => {
    create.reset();
    onClose();
  };
  return (
    <Dialog open={open} onClose={close} title={create.data ? webhookWords.onceTitle : webhookWords.createTitle}>
      {create.data ? (
        <Secret secret={create.data.secret} words={webhookWords.secret} onDone={close} />
      ) : (
        <WebhookForm
          action={webhookWords.add}
          error={create.error}
          busy={create.isPending}
          onCancel={close}
          onSend={(input) => create.mutate(input)}
        />
      )}
    </Dialog>
  );
}
