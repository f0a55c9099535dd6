import { Link } from "@tanstack/react-router";
import { Download, GalleryHorizontalEnd, PencilLine, SquarePlay, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { Schemas } from "@/api/client";
import { useFolders, useUpdateMedia, useUses } from "@/api/queries/media";
import { bytes } from "@/lib/amount";
import { codec, composeWith, duration } from "@/lib/media";
import { mediaWords } from "@/strings/media";
import { postWords } from "@/strings/posts";
import { ui } from "@/strings/ui";
import { Button, buttonClass } from "@/ui/button";
import { Field, SmallSelect } from "@/ui/field";
import { Fact, Facts, Moment } from "@/ui/parts";
import { toast } from "@/ui/toasts";
import { StateBadge } from "../posts/state";
import { problemOf, sentence } from "../problem";
import { ComposeLink } from "./compose-link";
import { DeleteQuestion, KeptDialog, useRemoval } from "./selection";
import { useMove } from "./use-move";

type Media = Schemas["Media"];

/** The data of a file, the posts that use it, and its actions. */
export function Details({ media, onGone }: { media: Media; onGone: () => void }) {
  const [renaming, setRenaming] = useState(false);
  return (
    <div className="grid content-start gap-6">
      <Acts media={media} onRename={() => setRenaming(true)} onGone={onGone} />
      {renaming && <Rename media={media} onDone={() => setRenaming(false)} />}
      <section>
        <h3 className="mb-2 font-semibold">{mediaWords.details}</h3>
        <MediaFacts media={media} />
      </section>
      <section>
        <h3 className="mb-2 font-semibold">{mediaWords.uses}</h3>
        <Posts media={media} />
      </section>
    </div>
  );
}

/** The actions of a file. */
function Acts({ media, onRename, onGone }: { media: Media; onRename: () => void; onGone: () => void }) {
  const [asks, setAsks] = useState(false);
  const [kept, setKept] = useState<Parameters<typeof KeptDialog>[0]["kept"]>([]);
  const { remove, busy } = useRemoval(setKept);
  const isReady = media.status === "READY";
  const run = async () => {
    const done = await remove([media]);
    setAsks(false);
    if (done.length > 0) onGone();
  };
  return (
    <div className="flex flex-wrap gap-2">
      {isReady && (
        <ComposeLink href={composeWith([media.id])} className={buttonClass("primary", "small")}>
          <SquarePlay aria-hidden className="size-4" />
          {mediaWords.usePost}
        </ComposeLink>
      )}
      {isReady && media.mediaType === "image" && (
        <Link to="/slides" search={{ add: media.id }} className={buttonClass("secondary", "small")}>
          <GalleryHorizontalEnd aria-hidden className="size-4" />
          {mediaWords.makeSlides}
        </Link>
      )}
      <Button size="small" onClick={onRename}>
        <PencilLine aria-hidden className="size-4" />
        {mediaWords.rename}
      </Button>
      {isReady && (
        <a href={media.publicUrl} download={media.originalFileName} className={buttonClass("secondary", "small")}>
          <Download aria-hidden className="size-4" />
          {mediaWords.download}
        </a>
      )}
      <Button size="small" kind="danger" onClick={() => setAsks(true)}>
        <Trash2 aria-hidden className="size-4" />
        {mediaWords.delete}
      </Button>
      <DeleteQuestion
        open={asks}
        media={[media]}
        busy={busy}
        onClose={() => setAsks(false)}
        onConfirm={() => void run()}
      />
      <KeptDialog kept={kept} onClose={() => setKept([])} />
    </div>
  );
}

function Rename({ media, onDone }: { media: Media; onDone: () => void }) {
  const update = useUpdateMedia();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fileName = String(new FormData(event.currentTarget).get("fileName"));
    const onSuccess = () => {
      toast(mediaWords.renamed);
      onDone();
    };
    update.mutate({ id: media.id, fileName }, { onSuccess });
  };
  const problem = problemOf(update.error, "fileName") ?? (update.error ? sentence(update.error) : undefined);
  return (
    <form onSubmit={submit} className="grid gap-3" noValidate>
      <Field
        label={mediaWords.name}
        name="fileName"
        autoComplete="off"
        // After "Rename" the user types.
        autoFocus
        maxLength={255}
        defaultValue={media.originalFileName}
        problem={problem}
      />
      <div className="flex gap-2">
        <Button type="submit" kind="primary" size="small" busy={update.isPending}>
          {mediaWords.rename}
        </Button>
        <Button size="small" onClick={onDone}>
          {ui.cancel}
        </Button>
      </div>
    </form>
  );
}

function MediaFacts({ media }: { media: Media }) {
  const folders = useFolders().data?.folders ?? [];
  const move = useMove();
  const { width, height, durationMs, videoCodec, audioCodec, frameRate } = media.thumbnailMetadata ?? {};
  const codecs = [videoCodec, audioCodec].filter((name) => name !== null && name !== undefined).map(codec);
  return (
    <Facts>
      <Fact name={mediaWords.name}>{media.originalFileName}</Fact>
      {media.size !== null && <Fact name={mediaWords.size}>{bytes(media.size)}</Fact>}
      {width && height && (
        <Fact name={mediaWords.dimensions}>
          {width} × {height}
        </Fact>
      )}
      {durationMs && <Fact name={mediaWords.length}>{duration(durationMs)}</Fact>}
      <Fact name={mediaWords.type}>{media.mimeType}</Fact>
      {codecs.length > 0 && (
        <Fact name={mediaWords.codecs}>
          {codecs.join(" + ")}
          {!audioCodec && `, ${mediaWords.silent}`}
        </Fact>
      )}
      {frameRate && <Fact name={mediaWords.frameRate}>{mediaWords.perSecond(frameRate)}</Fact>}
      <Fact name={mediaWords.folder}>
        <SmallSelect
          label={mediaWords.moveTo}
          className="-my-1.5 max-w-full"
          value={media.folderId ?? ""}
          onChange={(event) => void move([media], event.target.value || null)}
        >
          <option value="">{mediaWords.noFolder}</option>
          {folders.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SmallSelect>
      </Fact>
      <Fact name={mediaWords.uploaded}>
        <Moment at={media.createdAt} />
      </Fact>
    </Facts>
  );
}

/** The posts that use it. */
function Posts({ media }: { media: Media }) {
  const uses = useUses(media);
  if (uses.isPending) return <p className="h-5 w-32 animate-pulse rounded bg-sunken" />;
  if (!uses.data) return <p className="text-soft">{mediaWords.usesUnknown}</p>;
  if (uses.data.length === 0) return <p className="text-soft">{mediaWords.unused}</p>;
  return (
    <ul className="grid gap-1">
      {uses.data.map((post) => (
        <li key={post.id} className="flex items-center gap-3">
          <Link
            to="/posts/$id"
            params={{ id: post.id }}
            className="min-w-0 flex-1 truncate text-accent underline-offset-4 hover:underline"
          >
            {post.content || postWords.noCaption}
          </Link>
          <StateBadge state={post.state} />
        </li>
      ))}
    </ul>
  );
}
