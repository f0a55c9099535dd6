import { Download } from "lucide-react";
import { useId } from "react";
import { saveText } from "@/lib/save";
import { securityWords } from "@/strings/security";
import { Button } from "@/ui/button";
import { DialogActions } from "@/ui/dialog";
import { CopyButton } from "@/ui/parts";

/** Recovery codes, shown once. */
export function Codes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const id = useId();
  const text = codes.join("\n");
  return (
    <>
      <h3 className="font-medium">{securityWords.codesTitle}</h3>
      <p className="text-soft" role="status">
        {securityWords.codesText}
      </p>
      <label htmlFor={id} className="sr-only">
        {securityWords.codesLabel}
      </label>
      <textarea
        id={id}
        readOnly
        rows={codes.length}
        value={text}
        onFocus={(event) => event.target.select()}
        className="w-full resize-none rounded-lg bg-sunken px-3 py-2 font-mono text-[0.8125rem] leading-6"
      />
      <DialogActions>
        <CopyButton text={text} label={securityWords.copyCodes} />
        <Button size="small" onClick={() => saveText(`${text}\n`, "playout-recovery-codes.txt", "text/plain")}>
          <Download aria-hidden className="size-4" />
          {securityWords.download}
        </Button>
        <Button size="small" kind="primary" onClick={onDone}>
          {securityWords.kept}
        </Button>
      </DialogActions>
    </>
  );
}
