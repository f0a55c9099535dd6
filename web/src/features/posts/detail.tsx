import { Link } from "@tanstack/react-router";
import { ArrowLeft, ExternalLink } from "lucide-react";
import type { Schemas } from "@/api/client";
import { useMedia, usePost } from "@/api/queries/posts";
import { full } from "@/lib/time";
import { shownValue, words } from "@/lib/words";
import { composeWords } from "@/strings/compose";
import { postDetail, postWords } from "@/strings/posts";
import { Page, Section } from "@/ui/page";
import { Fact, Facts, Moment, Notice } from "@/ui/parts";
import { useAccountName } from "../accounts/names";
import { Loaded } from "../problem";
import { PostActions } from "./actions";
import { StateBadge } from "./state";
import { Timeline } from "./timeline";

const back = (
  <Link to="/posts" className="inline-flex items-center gap-1.5 rounded text-soft hover:text-ink">
    <ArrowLeft aria-hidden className="size-4" />
    {postDetail.back}
  </Link>
);

/** One post: its state, its content, and its attempts. */
export function PostDetail({ id }: { id: string }) {
  const post = usePost(id);
  const root = post.data?.root;
  return (
    <Page back={back} title={postDetail.title} actions={root && <PostActions key={root.state} post={root} />}>
      <Loaded query={post}>{(group) => <Shown group={group} />}</Loaded>
    </Page>
  );
}

function Shown({ group: { root, children } }: { group: Schemas["PostGroup"] }) {
  return (
    <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[1fr_20rem]">
      <div className="min-w-0">
        <Standing post={root} />
        <Section title={postDetail.caption}>
          <p className={`whitespace-pre-wrap break-words text-base leading-6 ${root.content ? "" : "text-soft"}`}>
            {root.content || postWords.noCaption}
          </p>
        </Section>
        {root.mediaIds.length > 0 && (
          <Section title={postDetail.media}>
            <ul className="flex flex-wrap gap-3">
              {root.mediaIds.map((id) => (
                <Thumbnail key={id} id={id} />
              ))}
            </ul>
          </Section>
        )}
        {children.length > 0 && <Comments posts={children} />}
        <Section title={postDetail.timeline}>
          <Timeline id={root.id} />
        </Section>
      </div>
      <div className="min-w-0">
        <Details post={root} />
      </div>
    </div>
  );
}

/** A user's address, or the name of a key. */
function shownAuthor({ kind, name }: Schemas["Author"]): string {
  return kind === "key" ? postDetail.byKey(name ?? "") : (name ?? "");
}

function Standing({ post }: { post: Schemas["Post"] }) {
  const tone = post.state === "ERROR" ? "bad" : post.state === "ACTION_REQUIRED" ? "warn" : "plain";
  return (
    <div className="mb-8 grid gap-3">
      <p className="flex flex-wrap items-center gap-3">
        <StateBadge state={post.state} />
        <span className="text-soft">{postWords.stateHints[post.state]}</span>
      </p>
      {post.errorText && <Notice tone={tone}>{post.errorText}</Notice>}
    </div>
  );
}

/** A preview of a media object; its name if there is none. */
function Thumbnail({ id }: { id: string }) {
  const media = useMedia(id).data;
  if (!media) return <li className="h-40 w-24 animate-pulse rounded-lg bg-sunken" />;
  return (
    <li>
      <a
        href={media.publicUrl}
        target="_blank"
        rel="noreferrer"
        title={media.originalFileName}
        className="block rounded-lg"
      >
        <img
          src={media.previewUrl}
          alt={media.originalFileName}
          loading="lazy"
          className="h-40 w-24 rounded-lg border border-line bg-sunken object-cover text-xs"
        />
      </a>
    </li>
  );
}

function Comments({ posts }: { posts: Schemas["Post"][] }) {
  return (
    <Section title={postDetail.comments}>
      <ol className="grid gap-3">
        {posts.map((post) => (
          <li key={post.id} className="flex flex-wrap items-start justify-between gap-3">
            <p className="min-w-0 flex-1 whitespace-pre-wrap break-words">{post.content}</p>
            <span className="text-soft">{postDetail.commentDelay(post.delayInMinutes ?? 0)}</span>
            <StateBadge state={post.state} />
            {post.errorText && <p className="w-full text-bad">{post.errorText}</p>}
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** The value of a setting as in the composer. */
function settingValue(name: string, value: unknown): string {
  if (typeof value === "boolean") return value ? postDetail.on : postDetail.off;
  if (name === "photo_cover_index" && typeof value === "number") return postDetail.photo(value + 1);
  if (name === "video_cover_timestamp_ms" && typeof value === "number") return postDetail.second(value / 1000);
  const { privacy, modes } = composeWords;
  const known: Record<string, string> = { ...privacy, ...modes };
  return known[String(value)] ?? shownValue(value);
}

function Details({ post }: { post: Schemas["Post"] }) {
  const account = useAccountName()(post.integrationId);
  const settings = Object.entries(post.settings);
  return (
    <>
      <Section title={postDetail.details}>
        <Facts>
          <Fact name={postWords.account}>
            <Link
              to="/accounts/$id"
              params={{ id: post.integrationId }}
              className="text-accent underline-offset-4 hover:underline"
            >
              {account}
            </Link>
          </Fact>
          <Fact name={postDetail.scheduled}>{post.scheduledFor ? full(post.scheduledFor) : postDetail.atOnce}</Fact>
          <Fact name={postDetail.created}>
            <Moment at={post.createdAt} />
          </Fact>
          {post.createdBy && <Fact name={postDetail.createdBy}>{shownAuthor(post.createdBy)}</Fact>}
          {post.updatedBy && <Fact name={postDetail.updatedBy}>{shownAuthor(post.updatedBy)}</Fact>}
          {post.releaseUrl && (
            <Fact name={postDetail.live}>
              <a
                href={post.releaseUrl}
                target="_blank"
                rel="noreferrer"
                className="inline-flex items-center gap-1.5 text-accent underline-offset-4 hover:underline"
              >
                {postDetail.openLive}
                <ExternalLink aria-hidden className="size-3.5" />
              </a>
            </Fact>
          )}
        </Facts>
      </Section>
      {settings.length > 0 && (
        <Section title={postDetail.settings}>
          <Facts>
            {settings.map(([name, value]) => (
              <Fact key={name} name={composeWords.settings[name] ?? words(name)}>
                {settingValue(name, value)}
              </Fact>
            ))}
          </Facts>
        </Section>
      )}
    </>
  );
}
