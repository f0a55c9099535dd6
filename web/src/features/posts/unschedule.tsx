import { FilePen } from "lucide-react";
import type { Schemas } from "@/api/client";
import { useSchedulePost, useUnschedulePost } from "@/api/queries/posts";
import { postDetail } from "@/strings/posts";
import { MenuItem } from "@/ui/menu";
import { toast } from "@/ui/toasts";
import { tellFailure } from "../problem";

/** Makes a queued post a draft; undone by scheduling it again. */
export function UnscheduleItem({ post }: { post: Schemas["Post"] }) {
  const unschedule = useUnschedulePost();
  const schedule = useSchedulePost();
  const before = post.scheduledFor;
  const undo = before ? () => void schedule.mutateAsync({ post, scheduledFor: before }).catch(tellFailure) : undefined;
  const change = { id: post.id, once: crypto.randomUUID() };
  return (
    <MenuItem
      icon={<FilePen aria-hidden />}
      // A promise: the item is gone with its menu before the answer comes, and callbacks of an item that is gone are not called.
      onSelect={() => void unschedule.mutateAsync(change).then(() => toast(postDetail.unscheduled, undo), tellFailure)}
    >
      {postDetail.unschedule}
    </MenuItem>
  );
}
