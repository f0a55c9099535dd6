import { useNavigate } from "@tanstack/react-router";
import { Ellipsis, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { removePost, usePostsChanged } from "@/api/queries/compose";
import { composeWords, finishWords } from "@/strings/compose";
import { ui } from "@/strings/ui";
import { IconButton } from "@/ui/button";
import { Confirm } from "@/ui/dialog";
import { Menu, MenuItem } from "@/ui/menu";
import { Page } from "@/ui/page";
import { toast } from "@/ui/toasts";
import { tellFailure } from "../problem";
import { AccountPicker } from "./account-picker";
import { back } from "./back";
import { Caption } from "./caption";
import { type Composition, isQueued } from "./composition";
import { FinishBar } from "./finish-bar";
import { forget } from "./keep";
import { KeptStatus } from "./kept-status";
import { MediaStrip, withMedia } from "./media";
import { Preview } from "./preview";
import { ProblemNotes } from "./problem-notes";
import { at, type Verdict, visible } from "./problems";
import { SettingsPanel } from "./settings-panel";
import { unlessGone } from "./trouble";
import { Troubles } from "./troubles";
import { Unfinished } from "./unfinished";
import { ComposeContext, type Composing, useComposing, useComposition } from "./use-composition";
import { useFinish } from "./use-finish";
import { useProblems } from "./use-problems";
import { useUploads } from "./use-uploads";
import { When } from "./when";

interface Props {
  start: Composition;
  /** Whether this tab is still the one that edits it. */
  isOurs: () => boolean;
}

/** The composer: content to the left, preview to the right, schedule below. */
export function Editor({ start, isOurs }: Props) {
  const composing = useComposition(start, isOurs);
  const [tried, setTried] = useState(false);
  const [slide, setSlide] = useState(0);
  const [verdicts, setVerdicts] = useState<readonly Verdict[]>([]);
  const shown = useRef<HTMLDivElement>(null);
  const { doc, edit } = composing;
  const found = useProblems(composing, [...verdicts, ...refusals(composing)]);
  const uploads = useUploads((media) => edit("media", (doc) => withMedia(doc, [media.id])));
  const { finish, busy, outcome } = useFinish(composing, setVerdicts);
  const problems = visible(found.problems, composing.touched, tried);
  const press = () => {
    setTried(true);
    // Known problems are shown; anything else is sent to the service.
    const isWrong = found.own.length > 0 || (found.isCurrent && found.problems.length > 0);
    if (isWrong) toFirstProblem(shown);
    else void finish().then((isSent) => isSent || toFirstProblem(shown));
  };
  const isNew = Object.keys(start.posts).length === 0;
  const title = isQueued(start) ? composeWords.titleQueued : isNew ? composeWords.titleNew : composeWords.titleDraft;
  return (
    <ComposeContext value={{ ...composing, edit: forgetting(composing, verdicts, setVerdicts), problems }}>
      <Page back={back} title={title} actions={<Head />}>
        <Unfinished except={doc.key} />
        <div ref={shown} className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_18rem]">
          <div className="grid min-w-0 content-start gap-8">
            <Troubles />
            <ProblemNotes problems={at(problems, "")} />
            <AccountPicker />
            <Caption />
            <MediaStrip uploads={uploads} onShow={setSlide} />
            <SettingsPanel />
          </div>
          <div className="lg:sticky lg:top-10 lg:row-span-2 lg:self-start">
            <Preview slide={slide} onSlide={setSlide} />
          </div>
          <div className="grid min-w-0 content-start gap-8">
            <When warnings={found.warnings} />
            <FinishBar
              onFinish={press}
              busy={busy}
              isUploading={uploads.isUploading}
              refused={uploads.going.filter(({ isRefused }) => isRefused).length}
              missing={tried ? problems : []}
              outcome={outcome}
            />
          </div>
        </div>
      </Page>
    </ComposeContext>
  );
}

/** Errors of saving are shown like errors of publishing. */
const refusals = ({ troubles }: Composing): Verdict[] =>
  [...troubles].flatMap(([account, trouble]) =>
    trouble.kind === "refused" ? [{ account, error: trouble.error }] : [],
  );

/** A change clears the errors of the last attempt. */
function forgetting(composing: Composing, verdicts: readonly Verdict[], set: (verdicts: readonly Verdict[]) => void) {
  const edit: Composing["edit"] = (place, next) => {
    if (verdicts.length > 0) set([]);
    composing.edit(place, next);
  };
  return edit;
}

/** Focuses the first invalid field, or scrolls to the first problem. */
function toFirstProblem(shown: React.RefObject<HTMLDivElement | null>): void {
  requestAnimationFrame(() => {
    const field = shown.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (field) field.focus();
    const first = field ?? shown.current?.querySelector("[role=alert], [data-problems]");
    first?.scrollIntoView({ block: "center" });
  });
}

/** The save status, and the link that discards it. */
function Head() {
  const { doc, saver } = useComposing();
  const [asks, setAsks] = useState(false);
  const [busy, setBusy] = useState(false);
  const changed = usePostsChanged();
  const navigate = useNavigate();
  const posts = Object.values(doc.posts);
  const isThere = doc.content !== "" || doc.media.length > 0 || posts.length > 0;
  const remove = async () => {
    setBusy(true);
    try {
      for (const { id } of posts) await removePost(id).catch(unlessGone);
      saver.stop();
      forget(doc.key);
      changed();
      toast(finishWords.deleted);
      await navigate({ to: "/posts" });
    } catch (error) {
      tellFailure(error);
      setBusy(false);
      setAsks(false);
    }
  };
  return (
    <div className="flex items-center gap-3">
      <KeptStatus />
      {isThere && (
        <Menu
          trigger={
            <IconButton label={ui.more} className="size-9">
              <Ellipsis aria-hidden className="size-4" />
            </IconButton>
          }
        >
          <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={() => setAsks(true)}>
            {finishWords.delete}
          </MenuItem>
        </Menu>
      )}
      <Confirm
        open={asks}
        onClose={() => setAsks(false)}
        title={finishWords.deleteTitle(Math.max(1, posts.length))}
        action={finishWords.delete}
        busy={busy}
        onConfirm={() => void remove()}
      >
        {doc.content && <p className="line-clamp-3 break-words text-ink">{doc.content}</p>}
        <p>{finishWords.deleteText}</p>
      </Confirm>
    </div>
  );
}
