import { Check, Images } from "lucide-react";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { useFolders, useMediaPages } from "@/api/queries/media";
import { mediaWords } from "@/strings/media";
import { ui } from "@/strings/ui";
import { Button } from "@/ui/button";
import { Dialog, DialogActions } from "@/ui/dialog";
import { SmallSelect } from "@/ui/field";
import { EmptyState, ErrorState, Skeleton } from "@/ui/page";
import { told } from "../problem";

type Media = Schemas["Media"];

interface Props {
  open: boolean;
  onClose: () => void;
  /** Called with the pictures, in the order of choosing. */
  onPick: (media: Media[]) => void;
}

/** A dialog to choose pictures of the library. */
export function MediaPicker({ open, onClose, onPick }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={mediaWords.pickTitle} wide>
      <Pictures onClose={onClose} onPick={onPick} />
    </Dialog>
  );
}

function Pictures({ onClose, onPick }: Omit<Props, "open">) {
  const [folder, setFolder] = useState("");
  const [chosen, setChosen] = useState<readonly Media[]>([]);
  const folders = useFolders().data?.folders ?? [];
  const pages = useMediaPages({ mediaType: "image", ...(folder === "" ? {} : { folderId: folder }) });
  const media = pages.data?.pages.flatMap((page) => page.media).filter(({ status }) => status === "READY") ?? [];
  const toggle = (one: Media) =>
    setChosen((chosen) =>
      chosen.some(({ id }) => id === one.id) ? chosen.filter(({ id }) => id !== one.id) : [...chosen, one],
    );
  const done = () => {
    onPick([...chosen]);
    onClose();
  };
  return (
    <>
      {folders.length > 0 && (
        <SmallSelect label={mediaWords.folder} value={folder} onChange={(event) => setFolder(event.target.value)}>
          <option value="">{mediaWords.all}</option>
          <option value="null">{mediaWords.loose}</option>
          {folders.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SmallSelect>
      )}
      {pages.isPending && <Skeleton rows={3} />}
      {pages.isError && !pages.data && <ErrorState {...told(pages.error)} onRetry={() => void pages.refetch()} />}
      {pages.data && media.length === 0 && <EmptyState icon={Images} title={mediaWords.pickEmpty} />}
      {media.length > 0 && (
        <ul aria-label={mediaWords.grid} className="grid grid-cols-[repeat(auto-fill,minmax(6rem,1fr))] gap-2 p-1">
          {media.map((one) => (
            <Choice
              key={one.id}
              media={one}
              place={chosen.findIndex(({ id }) => id === one.id)}
              onToggle={() => toggle(one)}
            />
          ))}
        </ul>
      )}
      {pages.hasNextPage && (
        <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          {mediaWords.more}
        </Button>
      )}
      <div className="-mx-6 -mb-6 sticky bottom-0 border-line border-t bg-surface px-6 pt-2 pb-6">
        <DialogActions>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button kind="primary" disabled={chosen.length === 0} onClick={done}>
            {mediaWords.pick(chosen.length)}
          </Button>
        </DialogActions>
      </div>
    </>
  );
}

/** One picture, with its number once it is chosen. */
function Choice({ media, place, onToggle }: { media: Media; place: number; onToggle: () => void }) {
  const isChosen = place >= 0;
  return (
    <li>
      <button
        type="button"
        aria-pressed={isChosen}
        aria-label={media.originalFileName}
        title={media.originalFileName}
        onClick={onToggle}
        className={`relative block aspect-[4/5] w-full overflow-hidden rounded-lg bg-sunken ${isChosen ? "ring-2 ring-accent ring-offset-2 ring-offset-surface" : ""}`}
      >
        <img src={media.previewUrl} alt="" loading="lazy" className="absolute inset-0 size-full object-cover" />
        {isChosen && (
          <span
            aria-hidden
            className="absolute top-1.5 right-1.5 flex h-5 items-center gap-0.5 rounded-full bg-accent px-1.5 font-semibold text-on-accent text-xs tabular-nums"
          >
            <Check className="size-3" />
            {place + 1}
          </span>
        )}
      </button>
    </li>
  );
}
