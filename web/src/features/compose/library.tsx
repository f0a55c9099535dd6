import { Film } from "lucide-react";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { useLibrary } from "@/api/queries/compose";
import { composeWords } from "@/strings/compose";
import { ui } from "@/strings/ui";
import { Button } from "@/ui/button";
import { Dialog, DialogActions } from "@/ui/dialog";
import { ErrorState } from "@/ui/page";
import { told } from "../problem";

type Kind = keyof typeof composeWords.libraryKinds;

interface Props {
  open: boolean;
  onClose: () => void;
  /** The media that the post has already. */
  chosen: readonly string[];
  onAdd: (ids: readonly string[]) => void;
}

/** A dialog to choose media of the workspace, in the order of choosing. */
export function LibraryDialog({ open, onClose, ...rest }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={composeWords.libraryTitle} wide>
      <Choice onClose={onClose} {...rest} />
    </Dialog>
  );
}

function Choice({ onClose, chosen, onAdd }: Omit<Props, "open">) {
  const [kind, setKind] = useState<Kind>("all");
  const [picked, setPicked] = useState<readonly string[]>([]);
  const library = useLibrary(kind === "all" ? undefined : kind, true);
  const media = library.data?.pages.flatMap((page) => page.media).filter(({ status }) => status === "READY") ?? [];
  const toggle = (id: string) =>
    setPicked((picked) => (picked.includes(id) ? picked.filter((other) => other !== id) : [...picked, id]));
  return (
    <>
      <fieldset className="flex w-fit gap-1 rounded-lg bg-sunken p-1">
        <legend className="sr-only">{composeWords.libraryKind}</legend>
        {Object.entries(composeWords.libraryKinds).map(([value, label]) => (
          <label
            key={value}
            className="relative rounded-md px-3 py-1 text-soft has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent has-[:checked]:bg-surface dark:has-[:checked]:bg-line has-[:checked]:font-medium has-[:checked]:text-ink"
          >
            <input
              type="radio"
              name="library-kind"
              checked={kind === value}
              onChange={() => setKind(value as Kind)}
              className="absolute inset-0 size-full cursor-[inherit] opacity-0"
            />
            {label}
          </label>
        ))}
      </fieldset>
      <div className="min-h-48">
        {library.isPending && (
          <div aria-busy className="grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-3">
            {["a", "b", "c", "d", "e"].map((key) => (
              <div key={key} className="aspect-[9/16] animate-pulse rounded-xl bg-sunken" />
            ))}
          </div>
        )}
        {library.isError && <ErrorState {...told(library.error)} onRetry={() => void library.refetch()} />}
        {library.isSuccess && media.length === 0 && (
          <p className="py-12 text-center text-soft">{composeWords.libraryEmpty}</p>
        )}
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-3">
          {media.map((item) => (
            <li key={item.id}>
              <Item
                item={item}
                place={picked.indexOf(item.id)}
                isThere={chosen.includes(item.id)}
                onToggle={() => toggle(item.id)}
              />
            </li>
          ))}
        </ul>
        {library.hasNextPage && (
          <div className="mt-4 flex justify-center">
            <Button busy={library.isFetchingNextPage} onClick={() => void library.fetchNextPage()}>
              {composeWords.libraryMore}
            </Button>
          </div>
        )}
      </div>
      <div className="-mx-6 -mb-6 sticky -bottom-px border-line border-t bg-surface px-6 pt-2 pb-4">
        <DialogActions>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button
            kind="primary"
            disabled={picked.length === 0}
            onClick={() => {
              onAdd(picked);
              onClose();
            }}
          >
            {composeWords.libraryAdd(picked.length)}
          </Button>
        </DialogActions>
      </div>
    </>
  );
}

interface ItemProps {
  item: Schemas["Media"];
  /** Its position among the chosen ones; -1 if it is not chosen. */
  place: number;
  isThere: boolean;
  onToggle: () => void;
}

function Item({ item, place, isThere, onToggle }: ItemProps) {
  return (
    <label
      title={item.originalFileName}
      className="relative block aspect-[9/16] overflow-hidden rounded-xl border border-line bg-sunken has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent has-[:focus-visible]:outline-offset-2 has-[:checked]:border-accent has-[:disabled]:opacity-45 has-[:checked]:ring-2 has-[:checked]:ring-accent"
    >
      <input
        type="checkbox"
        aria-label={item.originalFileName}
        checked={place >= 0 || isThere}
        disabled={isThere}
        onChange={onToggle}
        className="absolute inset-0 size-full cursor-[inherit] opacity-0"
      />
      <img src={item.previewUrl} alt="" loading="lazy" className="size-full object-cover" />
      {place >= 0 && (
        <span className="absolute top-1.5 right-1.5 flex size-5 items-center justify-center rounded-full bg-accent font-semibold text-on-accent text-xs">
          {place + 1}
        </span>
      )}
      {item.mediaType === "video" && (
        <span className="absolute bottom-1.5 left-1.5 flex items-center gap-1 rounded-md bg-black/65 px-1.5 py-0.5 text-white text-xs">
          <Film aria-hidden className="size-3" />
          {composeWords.seconds(((item.thumbnailMetadata?.durationMs ?? 0) / 1000).toFixed(0))}
        </span>
      )}
    </label>
  );
}
