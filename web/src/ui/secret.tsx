import { useId } from "react";
import { Button } from "./button";
import { DialogActions } from "./dialog";
import { CopyButton } from "./parts";

interface Words {
  onceText: string;
  label: string;
  copy: string;
  done: string;
}

/** A secret in a dialog, shown once: to be read, copied and closed. */
export function Secret({ secret, words, onDone }: { secret: string; words: Words; onDone: () => void }) {
  const id = useId();
  return (
    <>
      <p className="text-soft">{words.onceText}</p>
      <label htmlFor={id} className="sr-only">
        {words.label}
      </label>
      <textarea
        id={id}
        readOnly
        rows={2}
        value={secret}
        onFocus={(event) => event.target.select()}
        className="w-full resize-none break-all rounded-lg bg-sunken px-3 py-2 font-mono text-[0.8125rem]"
      />
      <DialogActions>
        <CopyButton text={secret} label={words.copy} />
        <Button size="small" kind="primary" onClick={onDone}>
          {words.done}
        </Button>
      </DialogActions>
    </>
  );
}
