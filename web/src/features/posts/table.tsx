import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { full, short } from "@/lib/time";
import { postWords } from "@/strings/posts";
import { Tick } from "@/ui/field";
import { StateBadge } from "./state";

interface Props {
  posts: Schemas["Post"][];
  nameOfAccount: (id: string) => string;
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

/** Posts, one a row; on a phone the account and the time go below the caption. */
export function PostTable({ posts, nameOfAccount, chosen, onChoose }: Props) {
  const isAll = posts.every(({ id }) => chosen.has(id));
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  };
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface">
      <table className="w-full table-fixed border-collapse text-left">
        <thead className="border-line border-b text-soft text-xs">
          <tr>
            <th scope="col" className="w-11 py-2.5 pl-4">
              <Tick
                label={postWords.selectAll}
                checked={isAll}
                onChange={() => onChoose(new Set(isAll ? [] : posts.map(({ id }) => id)))}
              />
            </th>
            <th scope="col" className="py-2.5 font-medium">
              {postWords.post}
            </th>
            <th scope="col" className="hidden w-44 py-2.5 pl-4 font-medium md:table-cell">
              {postWords.account}
            </th>
            <th scope="col" className="hidden w-44 py-2.5 pl-4 font-medium md:table-cell">
              {postWords.when}
            </th>
            <th scope="col" className="w-32 py-2.5 pr-4 pl-3 font-medium">
              {postWords.state}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {posts.map((post) => (
            <Row
              key={post.id}
              post={post}
              account={nameOfAccount(post.integrationId)}
              isChosen={chosen.has(post.id)}
              onToggle={() => toggle(post.id)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  post: Schemas["Post"];
  account: string;
  isChosen: boolean;
  onToggle: () => void;
}

function Row({ post, account, isChosen, onToggle }: RowProps) {
  const at = post.scheduledFor ?? post.createdAt;
  const when = (
    <time dateTime={at} title={full(at)}>
      {short(at, new Date())}
    </time>
  );
  const title = post.content || postWords.noCaption;
  return (
    <tr className={`relative transition-colors ${isChosen ? "bg-accent-soft" : "hover:bg-hover"}`}>
      <td className="relative z-10 h-12 w-11 pl-4">
        <Tick label={postWords.select(title)} checked={isChosen} onChange={onToggle} />
      </td>
      <td className="py-2">
        <Link
          to="/posts/$id"
          params={{ id: post.id }}
          className={`block truncate font-medium -outline-offset-2 before:absolute before:inset-0 ${post.content ? "" : "text-soft"}`}
        >
          {title}
        </Link>
        <p className="truncate text-soft text-xs md:hidden">
          {account} · {when}
        </p>
      </td>
      <td className="hidden truncate pl-4 text-soft md:table-cell">{account}</td>
      <td className="hidden whitespace-nowrap pl-4 text-soft tabular-nums md:table-cell">{when}</td>
      <td className="pr-4 pl-3">
        <StateBadge state={post.state} />
      </td>
    </tr>
  );
}
