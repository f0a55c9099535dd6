import { CircleAlert, CircleCheck, Pause, Play, RotateCw, X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { bytes } from "@/lib/amount";
import { uploadWords } from "@/strings/media";
import { Button, IconButton } from "@/ui/button";
import { toastFailure } from "@/ui/toasts";
import { begunWith } from "./kept";
import { cancel, pause, resume, upload as start } from "./store";
import type { Upload } from "./upload";

/** One upload: its progress and its actions. */
export function Row({ upload }: { upload: Upload }) {
  const { status, name, sent, size } = upload;
  const percent = size === 0 ? 0 : Math.floor((sent / size) * 100);
  const isOver = status === "done" || status === "failed";
  return (
    <li className="flex items-center gap-2 py-2 pr-1.5 pl-4">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-1.5">
          {status === "done" && <CircleCheck aria-hidden className="size-4 shrink-0 text-good" />}
          {status === "failed" && <CircleAlert aria-hidden className="size-4 shrink-0 text-bad" />}
          <span className="truncate" title={name}>
            {name}
          </span>
        </p>
        <p className={`text-xs tabular-nums ${status === "failed" ? "text-bad" : "text-soft"}`}>{standing(upload)}</p>
        {!isOver && (
          <div
            role="progressbar"
            aria-label={uploadWords.progress(name)}
            aria-valuenow={percent}
            className="mt-1.5 h-1 overflow-hidden rounded-full bg-sunken"
          >
            <div
              className={`h-full rounded-full ${status === "sending" ? "bg-accent" : "bg-line-strong"}`}
              style={{ width: `${percent}%` }}
            />
          </div>
        )}
      </div>
      <Actions upload={upload} />
    </li>
  );
}

function standing({ status, problem, sent, size, speed }: Upload): ReactNode {
  if (problem) return problem;
  if (status === "done") return bytes(size);
  const far = uploadWords.of(bytes(sent), bytes(size));
  if (status !== "sending")
    return `${far} · ${status === "again" ? uploadWords.again : uploadWords.states[status as "lost"]}`;
  if (sent >= size) return `${far} · ${uploadWords.checking}`;
  return speed === null ? far : `${far} · ${uploadWords.perSecond(bytes(speed))}`;
}

function Actions({ upload: { id, status, name, uploadId, isLeftOut } }: { upload: Upload }) {
  const canPause = status === "sending" || status === "waiting" || status === "again";
  return (
    <>
      {canPause && (
        <IconButton label={uploadWords.pause(name)} onClick={() => pause(id)}>
          <Pause aria-hidden className="size-4" />
        </IconButton>
      )}
      {status === "paused" && (
        <IconButton label={uploadWords.resume(name)} onClick={() => resume(id)}>
          <Play aria-hidden className="size-4" />
        </IconButton>
      )}
      {((status === "failed" && !isLeftOut) || status === "again") && (
        <IconButton label={uploadWords.retry(name)} onClick={() => resume(id)}>
          <RotateCw aria-hidden className="size-4" />
        </IconButton>
      )}
      {status === "lost" && uploadId && <ChooseAgain name={name} uploadId={uploadId} />}
      <IconButton
        label={status === "done" || status === "failed" ? uploadWords.dismiss(name) : uploadWords.cancel(name)}
        onClick={() => cancel(id)}
      >
        <X aria-hidden className="size-4" />
      </IconButton>
    </>
  );
}

/** Asks for the file again: after a reload the page has lost it. */
function ChooseAgain({ name, uploadId }: { name: string; uploadId: string }) {
  const input = useRef<HTMLInputElement>(null);
  const goOn = async (file: File | undefined) => {
    if (!file) return;
    const kept = await begunWith(file);
    if (kept?.uploadId === uploadId) void start(file, kept.folderId, kept);
    else toastFailure(uploadWords.otherFile(name));
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        aria-label={uploadWords.choose(name)}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => void goOn(event.target.files?.[0])}
      />
      <Button size="small" aria-label={uploadWords.choose(name)} onClick={() => input.current?.click()}>
        {uploadWords.chooseShort}
      </Button>
    </>
  );
}
