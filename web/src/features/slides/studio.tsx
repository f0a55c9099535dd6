import { Captions, GalleryHorizontalEnd } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import type { Schemas } from "@/api/client";
import { fetchMedia } from "@/api/queries/media";
import type { Slide } from "@/lib/slides";
import { slideWords } from "@/strings/slides";
import { Button } from "@/ui/button";
import { EmptyState, Page } from "@/ui/page";
import { toast } from "@/ui/toasts";
import { MediaPicker } from "../media/picker";
import { tellFailure } from "../problem";
import type { Found } from "../uploads/files";
import { DropCurtain, useIncomingFiles } from "../uploads/incoming";
import { AddPictures } from "../uploads/pick";
import { startUploads } from "../uploads/start";
import { CaptionsDialog } from "./captions";
import { addPictures, changeSlides, currentDraft, useDraft } from "./draft";
import { Finish } from "./finish";
import { Inspector } from "./inspector";
import { useOtherPreviews } from "./previews";
import { Stage } from "./stage";
import { Strip } from "./strip";

interface Props {
  /** The first media, as IDs separated by commas. */
  add: string;
  /** Called once they are added. */
  onAdded: () => void;
}

/** The slideshow studio: pictures become slides, each with a preview. */
export function Studio({ add, onAdded }: Props) {
  const { slides } = useDraft();
  const [chosen, setChosen] = useState<string | null>(null);
  const [asks, setAsks] = useState<"library" | "captions" | null>(null);
  const [arriving, setArriving] = useState(0);
  const live = slides.find(({ key }) => key === chosen) ?? slides[0] ?? null;
  useOtherPreviews(slides, live?.key ?? null);
  const bring = useCallback((found: Found[]) => void arrive(found, setArriving), []);
  const isOver = useIncomingFiles(bring);
  useHandedOver(add, onAdded);
  const take = (media: Schemas["Media"][]) => {
    const first = addPictures(media);
    if (first) setChosen(first);
  };
  const openLibrary = () => setAsks("library");
  const actions = live && (
    <>
      <AddPictures onFiles={bring} onLibrary={openLibrary} isMenu />
      <Button onClick={() => setAsks("captions")}>
        <Captions aria-hidden className="size-4" />
        {slideWords.write}
      </Button>
    </>
  );
  return (
    <Page title={slideWords.title} intro={slideWords.intro} actions={actions}>
      {arriving > 0 && (
        <p role="status" className="mb-4 text-soft">
          {slideWords.arriving(arriving)}
        </p>
      )}
      {live ? (
        <div className="grid items-start gap-6 lg:grid-cols-[5.5rem_minmax(0,1fr)_20rem] lg:gap-8 xl:grid-cols-[5.5rem_minmax(0,1fr)_24rem]">
          <Strip slides={slides} chosen={live.key} onChoose={setChosen} onRemove={(key) => remove(key, setChosen)} />
          <Stage slide={live} place={slides.indexOf(live)} count={slides.length} />
          <div className="grid gap-8">
            <Inspector
              key={live.key}
              slide={live}
              place={slides.indexOf(live)}
              count={slides.length}
              onRemove={() => remove(live.key, setChosen)}
            />
            <Finish onShow={setChosen} />
          </div>
        </div>
      ) : (
        <EmptyState
          icon={GalleryHorizontalEnd}
          title={slideWords.emptyTitle}
          action={<AddPictures onFiles={bring} onLibrary={openLibrary} />}
        >
          {slideWords.emptyText}
        </EmptyState>
      )}
      <MediaPicker open={asks === "library"} onClose={() => setAsks(null)} onPick={take} />
      <CaptionsDialog open={asks === "captions"} slides={slides} onClose={() => setAsks(null)} />
      {isOver && <DropCurtain text={slideWords.drop} />}
    </Page>
  );
}

/** Pictures become slides in the order in which they were added, regardless of the order of their uploads. */
async function arrive(found: Found[], tell: (change: (count: number) => number) => void): Promise<void> {
  const started = await startUploads(found, { folderId: null, only: "image" });
  tell((count) => count + started.length);
  for (const upload of started) {
    const media = await upload;
    tell((count) => count - 1);
    if (media) addPictures([media]);
  }
}

/** Media that another page passes in the address. */
function useHandedOver(add: string, onAdded: () => void): void {
  useEffect(() => {
    if (add === "") return;
    let isOver = false;
    const take = async () => {
      const media = await Promise.all(add.split(",").map(fetchMedia));
      if (isOver) return;
      addPictures(media);
      onAdded();
    };
    take().catch(tellFailure);
    return () => {
      isOver = true;
    };
  }, [add, onAdded]);
}

/** Removes a slide, with undo. */
function remove(key: string, choose: (key: string) => void): void {
  const { slides } = currentDraft();
  const place = slides.findIndex((slide) => slide.key === key);
  const slide = slides[place];
  if (!slide) return;
  const next: Slide | undefined = slides[place + 1] ?? slides[place - 1];
  changeSlides((slides) => slides.filter((one) => one.key !== key));
  if (next) choose(next.key);
  toast(slideWords.removed, () => {
    changeSlides((slides) => slides.toSpliced(Math.min(place, slides.length), 0, slide));
    choose(slide.key);
  });
}
