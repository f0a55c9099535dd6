import { Link, useNavigate } from "@tanstack/react-router";
import { CalendarClock, Trash2 } from "lucide-react";
import { Popover } from "radix-ui";
import { useRef, useState } from "react";
import { useMedia } from "@/api/queries/posts";
import { fullMoment } from "@/lib/dates";
import { card, moving } from "@/strings/calendar";
import { postWords } from "@/strings/posts";
import { Button, buttonClass, IconButton } from "@/ui/button";
import { useAccountName } from "../accounts/names";
import { StateBadge } from "../posts/state";
import { type Item, whyStuck } from "./items";
import { MoveForm } from "./move-form";

interface Props {
  item: Item;
  /** The element beside which it is shown. */
  anchor: HTMLElement;
  zone: string;
  onClose: () => void;
  onMove: (at: number) => void;
  onDelete: () => void;
  /** Returns the focus to the post. */
  onFocusBack: () => void;
}

/** A summary of a post beside its place in the calendar, with its actions. */
export function PostCard({ item, anchor, zone, onClose, onMove, onDelete, onFocusBack }: Props) {
  const isLeft = useRef(false);
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Anchor virtualRef={{ current: anchor }} />
      <Popover.Portal>
        <Popover.Content
          aria-label={card.label}
          // Beside a post of a grid, below a row of a list.
          side={anchor.offsetWidth > window.innerWidth / 3 ? "bottom" : "right"}
          align="start"
          sideOffset={6}
          collisionPadding={12}
          onInteractOutside={() => {
            isLeft.current = true;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (!isLeft.current) onFocusBack();
          }}
          className="rises z-40 grid max-h-[min(36rem,var(--radix-popover-content-available-height))] w-[min(22rem,calc(100vw-1.5rem))] gap-3 overflow-y-auto rounded-2xl border border-line bg-surface p-4 text-ink shadow-raised outline-none"
        >
          <Inside item={item} zone={zone} onMove={onMove} onDelete={onDelete} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Inside({ item, zone, onMove, onDelete }: Pick<Props, "item" | "zone" | "onMove" | "onDelete">) {
  const [isMoving, setMoving] = useState(false);
  const navigate = useNavigate();
  const { post } = item;
  const stuck = whyStuck(post);
  const mayEdit = post.state === "DRAFT" || stuck === null;
  const mayGoOut = stuck === null || post.state === "DRAFT" || post.state === "ERROR";
  return (
    <>
      <Head item={item} zone={zone} />
      <p className="line-clamp-6 whitespace-pre-wrap break-words">
        {post.content || <span className="text-soft">{postWords.noCaption}</span>}
      </p>
      <div className="grid gap-1 text-soft text-xs">
        <p>{postWords.stateHints[post.state]}</p>
        {post.errorText && <p className="break-words text-bad">{post.errorText}</p>}
        {stuck && post.state === "QUEUE" && <p>{stuck}</p>}
        {post.state === "PUBLISHED" && <p>{moving.stuck.PUBLISHED}</p>}
      </div>
      {isMoving ? (
        <MoveForm
          item={item}
          zone={zone}
          isQueued={post.state === "QUEUE"}
          onChoose={onMove}
          onCancel={() => setMoving(false)}
        />
      ) : (
        <div className="flex items-center gap-2">
          <Link to="/posts/$id" params={{ id: post.id }} className={buttonClass("primary", "small")}>
            {card.open}
          </Link>
          {mayEdit && (
            <Button size="small" onClick={() => void navigate({ href: `/compose?post=${post.id}` })}>
              {card.edit}
            </Button>
          )}
          {mayGoOut && (
            <Button size="small" onClick={() => setMoving(true)}>
              <CalendarClock aria-hidden className="size-4" />
              {post.state === "QUEUE" ? card.move : card.schedule}
            </Button>
          )}
          <IconButton label={card.remove} onClick={onDelete} className="ml-auto">
            <Trash2 aria-hidden className="size-4" />
          </IconButton>
        </div>
      )}
    </>
  );
}

function Head({ item, zone }: { item: Item; zone: string }) {
  const { post, at } = item;
  const account = useAccountName()(post.integrationId);
  const when = fullMoment(at, zone);
  const [first] = post.mediaIds;
  return (
    <div className="flex gap-3">
      {first !== undefined && <Thumbnail id={first} />}
      <div className="grid min-w-0 flex-1 content-start justify-items-start gap-1.5">
        <StateBadge state={post.state} />
        <time dateTime={new Date(at).toISOString()} className="font-medium">
          {post.scheduledFor ? when : card.atOnce(when)}
        </time>
        <p className="max-w-full truncate text-soft">{account}</p>
        {post.mediaIds.length > 1 && <p className="text-soft text-xs">{card.slides(post.mediaIds.length)}</p>}
      </div>
    </div>
  );
}

function Thumbnail({ id }: { id: string }) {
  const media = useMedia(id).data;
  const box = "h-24 w-[3.75rem] shrink-0 rounded-lg";
  if (!media) return <div aria-hidden className={`${box} animate-pulse bg-sunken`} />;
  return (
    <img
      src={media.previewUrl}
      alt={media.originalFileName}
      className={`${box} border border-line bg-sunken object-cover text-xs`}
    />
  );
}
