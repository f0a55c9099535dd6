import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FolderInput, GalleryHorizontalEnd, SquarePlay, Trash2, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { refused, type Schemas } from "@/api/client";
import { deleteMediaMany, useFolders } from "@/api/queries/media";
import { outdateHere } from "@/api/stale";
import { composeWith } from "@/lib/media";
import { mediaWords } from "@/strings/media";
import { Button, buttonClass, IconButton } from "@/ui/button";
import { Confirm, Dialog } from "@/ui/dialog";
import { Menu, MenuItem, MenuLabel } from "@/ui/menu";
import { toast, toastFailure } from "@/ui/toasts";
import { sentence, tellFailure } from "../problem";
import { ComposeLink } from "./compose-link";
import { neededBy } from "./many";
import { useMove } from "./use-move";

type Media = Schemas["Media"];
/** A file that was not deleted, and the posts that need it. */
type Needed = { media: Media; posts: string[] };

interface BarProps {
  media: Media[];
  onDone: () => void;
  /** Shown while no file is selected. */
  children: ReactNode;
}

/** The actions on the selected files. It stays visible above them. */
export function SelectionBar({ media, onDone, children }: BarProps) {
  const [asks, setAsks] = useState(false);
  const [kept, setKept] = useState<Needed[]>([]);
  const { remove, busy } = useRemoval(setKept);
  const move = useMove();
  const ids = media.map(({ id }) => id);
  const isReady = media.every(({ status }) => status === "READY");
  const isPictures = isReady && media.every(({ mediaType }) => mediaType === "image");
  const removeAll = async () => {
    await remove(media);
    setAsks(false);
    onDone();
  };
  return (
    <>
      {media.length === 0 ? (
        children
      ) : (
        <section
          aria-label={mediaWords.selected(media.length)}
          className="sticky top-14 z-10 -mx-2 mb-2 flex min-h-12 items-center gap-1.5 overflow-x-auto rounded-xl bg-canvas px-2 py-2 md:top-0"
        >
          <p aria-live="polite" className="mr-auto whitespace-nowrap pr-3 font-semibold text-[0.9375rem] tabular-nums">
            {mediaWords.selected(media.length)}
          </p>
          {isReady && (
            <ComposeLink href={composeWith(ids)} className={buttonClass("primary", "small")}>
              <SquarePlay aria-hidden className="size-4 max-sm:hidden" />
              {mediaWords.usePost}
            </ComposeLink>
          )}
          {isPictures && (
            <Link to="/slides" search={{ add: ids.join(",") }} className={buttonClass("secondary", "small")}>
              <GalleryHorizontalEnd aria-hidden className="size-4 max-sm:hidden" />
              {mediaWords.makeSlides}
            </Link>
          )}
          <MoveMenu
            onMove={(folderId) => {
              void move(media, folderId);
              onDone();
            }}
          >
            <Button size="small">
              <FolderInput aria-hidden className="size-4 max-sm:hidden" />
              {mediaWords.move}
            </Button>
          </MoveMenu>
          <Button size="small" kind="danger" onClick={() => setAsks(true)}>
            <Trash2 aria-hidden className="size-4 max-sm:hidden" />
            {mediaWords.delete}
          </Button>
          <IconButton label={mediaWords.unselect} onClick={onDone}>
            <X aria-hidden className="size-4" />
          </IconButton>
        </section>
      )}
      <DeleteQuestion
        open={asks}
        media={media}
        busy={busy}
        onClose={() => setAsks(false)}
        onConfirm={() => void removeAll()}
      />
      <KeptDialog kept={kept} onClose={() => setKept([])} />
    </>
  );
}

/** Deletes files; reports the result, and the posts that need the others. */
export function useRemoval(onKept: (kept: Needed[]) => void) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const remove = async (media: readonly Media[]) => {
    setBusy(true);
    const results = await deleteMediaMany(media.map(({ id }) => id)).catch((error: unknown) => {
      tellFailure(error);
      return [];
    });
    setBusy(false);
    outdateHere(queries, "media", "usage");
    const gone = new Set<string>();
    const errors = new Map<string, unknown>();
    for (const result of results) {
      // A file that someone else deleted counts as deleted.
      if (result.status === "deleted" || result.error.code === "media_not_found") gone.add(result.id);
      else errors.set(result.id, refused(result.error));
    }
    const done = media.filter(({ id }) => gone.has(id));
    const kept = media.flatMap((one) => {
      const error = errors.get(one.id);
      return error === undefined ? [] : [{ media: one, posts: neededBy(error), error }];
    });
    const other = kept.find(({ posts }) => posts.length === 0);
    if (other) toastFailure(mediaWords.failedPart(done.length, media.length, sentence(other.error)));
    else if (done.length > 0) toast(mediaWords.deleted(done.length));
    onKept(kept.filter(({ posts }) => posts.length > 0));
    return done;
  };
  return { remove, busy };
}

/** The choice of a folder. */
export function MoveMenu({ children, onMove }: { children: ReactNode; onMove: (folderId: string | null) => void }) {
  const folders = useFolders().data?.folders ?? [];
  return (
    <Menu trigger={children}>
      <MenuLabel>{mediaWords.moveTo}</MenuLabel>
      <div className="max-h-72 overflow-y-auto">
        {folders.map(({ id, name }) => (
          <MenuItem key={id} onSelect={() => onMove(id)}>
            {name}
          </MenuItem>
        ))}
        <MenuItem onSelect={() => onMove(null)}>{mediaWords.loose}</MenuItem>
      </div>
    </Menu>
  );
}

interface QuestionProps {
  open: boolean;
  media: readonly Media[];
  busy: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

const FEW = 5;

/** The confirmation before files are deleted, with their names. */
export function DeleteQuestion({ open, media, busy, onClose, onConfirm }: QuestionProps) {
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={mediaWords.deleteTitle(media.length)}
      action={mediaWords.delete}
      busy={busy}
      onConfirm={onConfirm}
    >
      <ul className="list-inside list-disc">
        {media.slice(0, FEW).map(({ id, originalFileName }) => (
          <li key={id} className="truncate text-ink">
            {originalFileName}
          </li>
        ))}
        {media.length > FEW && <li>…</li>}
      </ul>
      <p>{mediaWords.deleteText}</p>
    </Confirm>
  );
}

/** The files that were not deleted, with the posts that need them. */
export function KeptDialog({ kept, onClose }: { kept: readonly Needed[]; onClose: () => void }) {
  return (
    <Dialog open={kept.length > 0} onClose={onClose} title={mediaWords.keptTitle(kept.length)}>
      <p className="text-soft">{mediaWords.keptText}</p>
      <ul className="divide-y divide-line">
        {kept.map(({ media, posts }) => (
          <li key={media.id} className="py-2">
            <p className="truncate font-medium">{media.originalFileName}</p>
            <p className="flex flex-wrap gap-x-3 text-soft">
              {mediaWords.neededBy}
              {posts.map((id, place) => (
                <Link
                  key={id}
                  to="/posts/$id"
                  params={{ id }}
                  className="text-accent underline-offset-4 hover:underline"
                >
                  {mediaWords.aPost(place + 1)}
                </Link>
              ))}
            </p>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
