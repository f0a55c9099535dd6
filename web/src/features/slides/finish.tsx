import { Link } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { useFolders } from "@/api/queries/media";
import { composeWith } from "@/lib/media";
import { characters, type Draft, finished, MOST_CHARACTERS } from "@/lib/slides";
import { slideWords } from "@/strings/slides";
import { Button, buttonClass } from "@/ui/button";
import { Confirm } from "@/ui/dialog";
import { Select } from "@/ui/field";
import { CopyButton } from "@/ui/parts";
import { ComposeLink } from "../media/compose-link";
import { useBake } from "./bake";
import { changeDraft, startAnew, useDraft } from "./draft";
import { useDrawn } from "./previews";

/** Creates the slides from the previews, and continues to a post. */
export function Finish({ onShow }: { onShow: (key: string) => void }) {
  const draft = useDraft();
  const ready = finished(draft);
  return (
    <section className="grid gap-4 border-line border-t pt-6">
      {draft.content !== "" && <PostText content={draft.content} />}
      {ready ? <Ready draft={draft} ids={ready} /> : <Make draft={draft} onShow={onShow} />}
    </section>
  );
}

/** The proposed content of the post. */
function PostText({ content }: { content: string }) {
  return (
    <div className="grid gap-1.5">
      <div className="flex items-center justify-between gap-3">
        <h2 className="font-medium">{slideWords.content}</h2>
        <div className="flex gap-1">
          <CopyButton text={content} />
          <Button size="small" kind="ghost" onClick={() => changeDraft((draft) => ({ ...draft, content: "" }))}>
            {slideWords.clear}
          </Button>
        </div>
      </div>
      <p className="whitespace-pre-wrap break-words text-soft">{content}</p>
    </div>
  );
}

function Make({ draft, onShow }: { draft: Draft; onShow: (key: string) => void }) {
  const { slides, target } = draft;
  const folders = useFolders().data?.folders ?? [];
  const drawn = useDrawn();
  const { bake, isBaking } = useBake(onShow);
  const [asks, setAsks] = useState(false);
  const wrong = slides.filter((slide) => drawn(slide)?.problem || characters(slide.caption) > MOST_CHARACTERS);
  const first = wrong[0];
  return (
    <>
      <Select
        label={slideWords.folder}
        value={target}
        onChange={(event) => changeDraft((draft) => ({ ...draft, target: event.target.value }))}
      >
        <option value="with">{slideWords.withPictures}</option>
        <option value="none">{slideWords.noFolder}</option>
        {folders.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      {first && (
        <p role="status" className="flex items-center justify-between gap-3 text-bad">
          {slideWords.problems(wrong.length)}
          <Button size="small" onClick={() => onShow(first.key)}>
            {slideWords.show}
          </Button>
        </p>
      )}
      <Button kind="primary" busy={isBaking} disabled={wrong.length > 0} onClick={() => void bake()}>
        {slideWords.make(slides.length)}
      </Button>
      <Button kind="ghost" size="small" disabled={isBaking} onClick={() => setAsks(true)}>
        {slideWords.anew}
      </Button>
      <Confirm
        open={asks}
        onClose={() => setAsks(false)}
        title={slideWords.anewTitle}
        action={slideWords.anew}
        onConfirm={startAnew}
      >
        <p>{slideWords.anewText}</p>
      </Confirm>
    </>
  );
}

function Ready({ draft: { target }, ids }: { draft: Draft; ids: readonly string[] }) {
  const folder = target === "with" ? {} : { folder: target };
  return (
    <>
      <div role="status" className="grid gap-1">
        <p className="flex items-center gap-2 font-medium">
          <CircleCheck aria-hidden className="size-4 text-good" />
          {slideWords.readyTitle(ids.length)}
        </p>
        <p className="text-soft">{slideWords.readyText}</p>
      </div>
      <ComposeLink href={composeWith(ids)} className={buttonClass("primary")}>
        {slideWords.use}
      </ComposeLink>
      <div className="flex flex-wrap gap-2">
        <Link to="/media" search={folder} className={`${buttonClass("secondary", "small")} flex-1`}>
          {slideWords.open}
        </Link>
        <Button size="small" className="flex-1" onClick={startAnew}>
          {slideWords.anew}
        </Button>
      </div>
    </>
  );
}
