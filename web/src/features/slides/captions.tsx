import { type FormEvent, useState } from "react";
import { ApiError, type Schemas } from "@/api/client";
import { useProposeCaptions } from "@/api/queries/slides";
import { type Slide, withCaptions } from "@/lib/slides";
import { captionWords } from "@/strings/slides";
import { ui } from "@/strings/ui";
import { Button } from "@/ui/button";
import { Dialog, DialogActions } from "@/ui/dialog";
import { Field, Select, TextArea, Tick } from "@/ui/field";
import { Notice } from "@/ui/parts";
import { toast } from "@/ui/toasts";
import { FormProblem, problemOf } from "../problem";
import { changeDraft, currentDraft } from "./draft";

type Length = NonNullable<Schemas["ProposeCaptions"]["slideLength"]>;

const LEAST = 3;
const MOST = 10;

interface Props {
  open: boolean;
  slides: readonly Slide[];
  onClose: () => void;
}

/** Proposes captions by a language model. They are put on the slides, with undo. */
export function CaptionsDialog({ open, slides, onClose }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={captionWords.title}>
      <CaptionsForm slides={slides} onClose={onClose} />
    </Dialog>
  );
}

/** The request from the form, or its problems. */
interface Wish {
  body: Schemas["ProposeCaptions"];
  problems: { brief?: string; count?: string };
}

function wishOf(form: FormData, slides: readonly Slide[]): Wish {
  const userRequest = String(form.get("brief")).trim();
  const slideCount = Number(form.get("count"));
  const language = String(form.get("language"));
  const shown = form.get("look") === "on" ? [...new Set(slides.map(({ mediaId }) => mediaId))].slice(0, MOST) : [];
  return {
    body: {
      userRequest,
      slideCount,
      slideLength: String(form.get("length")) as Length,
      ...(language === "" ? {} : { language }),
      ...(shown.length > 0 ? { mediaIds: shown } : {}),
    },
    problems: {
      ...(userRequest === "" ? { brief: captionWords.briefMissing } : {}),
      ...(Number.isInteger(slideCount) && slideCount >= LEAST && slideCount <= MOST
        ? {}
        : { count: captionWords.badCount }),
    },
  };
}

function CaptionsForm({ slides, onClose }: Omit<Props, "open">) {
  const propose = useProposeCaptions();
  const [problems, setProblems] = useState<Wish["problems"]>({});
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { body, problems } = wishOf(new FormData(event.currentTarget), slides);
    setProblems(problems);
    if (Object.keys(problems).length > 0) return;
    const onSuccess = (proposed: Schemas["ProposedCaptions"]) => {
      apply(proposed);
      onClose();
    };
    propose.mutate({ ...body, once: crypto.randomUUID() }, { onSuccess });
  };
  const { error, isPending } = propose;
  const count = Math.max(LEAST, Math.min(MOST, slides.length));
  return (
    <form onSubmit={submit} className="grid gap-4" noValidate aria-busy={isPending}>
      {isNotConfigured(error) ? (
        <NotConfigured />
      ) : (
        <FormProblem error={error} fields={["userRequest", "slideCount"]} />
      )}
      <TextArea
        label={captionWords.brief}
        name="brief"
        rows={3}
        maxLength={500}
        hint={captionWords.briefHint}
        problem={problems.brief ?? problemOf(error, "userRequest")}
      />
      <div className="grid grid-cols-2 items-start gap-3">
        <Field
          label={captionWords.count}
          name="count"
          type="number"
          min={LEAST}
          max={MOST}
          defaultValue={count}
          hint={captionWords.countHint(slides.length)}
          problem={problems.count ?? problemOf(error, "slideCount")}
        />
        <Select label={captionWords.length} name="length" defaultValue="medium">
          {Object.entries(captionWords.lengths).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      <Select label={captionWords.language} name="language" defaultValue="">
        {Object.entries(captionWords.languages).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </Select>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the box inside has the name too. */}
      <label className="flex items-center gap-2.5">
        <Tick label={captionWords.look} name="look" defaultChecked />
        {captionWords.look}
      </label>
      <p className="text-[0.8125rem] text-soft">{captionWords.price}</p>
      <DialogActions>
        <Button onClick={onClose}>{ui.cancel}</Button>
        <Button kind="primary" type="submit" busy={isPending}>
          {isPending ? captionWords.writing : captionWords.write}
        </Button>
      </DialogActions>
    </form>
  );
}

/** The service has no language model: no change of the form helps. */
function isNotConfigured(error: unknown): boolean {
  const details = error instanceof ApiError && error.code === "captions_unavailable" ? error.details : null;
  return (details as { reason?: unknown } | null)?.reason === "not_configured";
}

function NotConfigured() {
  return (
    <Notice tone="warn" role="alert">
      <p className="font-medium">{captionWords.notConfigured}</p>
      <p>{captionWords.notConfiguredText}</p>
    </Notice>
  );
}

function apply({ caption, slides: proposed }: Schemas["ProposedCaptions"]): void {
  const { slides, content } = currentDraft();
  const written = proposed.map((one) => one.caption);
  changeDraft((draft) => ({
    ...draft,
    content: caption,
    slides: withCaptions(draft.slides, written, () => crypto.randomUUID()),
  }));
  toast(captionWords.done(written.length), () => changeDraft((draft) => ({ ...draft, slides, content })));
}
