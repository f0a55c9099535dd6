import { useDeletePost } from "@/api/queries/posts";
import { postWords } from "@/strings/posts";
import { Confirm } from "@/ui/dialog";
import { toast } from "@/ui/toasts";
import { tellFailure } from "../problem";
import type { Item } from "./items";

/** The confirmation before a post is deleted. */
export function DeleteQuestion({ item, onClose }: { item: Item; onClose: () => void }) {
  const remove = useDeletePost();
  const { post } = item;
  const run = () =>
    remove.mutate(post.id, {
      onSuccess: () => toast(postWords.deleted(1)),
      onError: tellFailure,
      onSettled: onClose,
    });
  return (
    <Confirm
      open
      onClose={onClose}
      title={postWords.deleteTitle(1)}
      action={postWords.delete}
      busy={remove.isPending}
      onConfirm={run}
    >
      <p className="line-clamp-4 break-words text-ink">{post.content || postWords.noCaption}</p>
      <p>{postWords.deleteText}</p>
      {post.state === "PUBLISHED" && <p>{postWords.deletePublished}</p>}
    </Confirm>
  );
}
