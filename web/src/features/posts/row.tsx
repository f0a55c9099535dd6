import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { postWords } from "@/strings/posts";
import { Initials, Moment } from "@/ui/parts";
import { StateBadge } from "./state";

interface Props {
  post: Schemas["Post"];
  account: string;
  /** Whether to show what it waits for. */
  withReason?: boolean;
}

/** A post in a short list: caption, account, time, state. */
export function PostRow({ post, account, withReason = false }: Props) {
  return (
    <li className="relative flex min-h-14 items-center gap-3 px-4 py-2.5 transition-colors hover:bg-hover">
      <Initials name={account || "·"} />
      <div className="min-w-0 flex-1">
        <Link
          to="/posts/$id"
          params={{ id: post.id }}
          className="block truncate font-medium -outline-offset-2 before:absolute before:inset-0"
        >
          {post.content || postWords.noCaption}
        </Link>
        <p className="truncate text-soft">
          {account}
          {account && " · "}
          <Moment at={post.scheduledFor ?? post.createdAt} />
        </p>
        {withReason && post.errorText && <p className="line-clamp-2 break-words text-[0.8125rem]">{post.errorText}</p>}
      </div>
      <StateBadge state={post.state} />
    </li>
  );
}
