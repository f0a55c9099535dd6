import { Eye, EyeOff } from "lucide-react";
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from "react";
import { ui } from "@/strings/ui";

const BOX =
  "rounded-lg border border-line-strong/60 bg-surface text-ink placeholder:text-soft hover:border-line-strong aria-invalid:border-bad disabled:bg-sunken disabled:text-soft";

interface Around {
  label: string;
  hint?: ReactNode;
  /** The problem of the input. */
  problem?: string | undefined;
}

interface Ids {
  id: string;
  "aria-invalid": boolean | undefined;
  "aria-describedby": string | undefined;
}

/** A label, its control, and a note: the problem if there is one, else the hint. */
function Labelled({ label, hint, problem, children }: Around & { children: (ids: Ids) => ReactNode }) {
  const id = useId();
  const note = problem ?? hint;
  const ids: Ids = {
    id,
    "aria-invalid": problem ? true : undefined,
    "aria-describedby": note ? `${id}-note` : undefined,
  };
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children(ids)}
      {note && (
        <p id={`${id}-note`} className={`text-[0.8125rem] ${problem ? "text-bad" : "text-soft"}`}>
          {note}
        </p>
      )}
    </div>
  );
}

type FieldProps = Around & Omit<InputHTMLAttributes<HTMLInputElement>, "id">;

/** A line of text. */
export function Field({ label, hint, problem, ...rest }: FieldProps) {
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(ids) => <input {...rest} {...ids} className={`${BOX} w-full h-9 px-3`} />}
    </Labelled>
  );
}

/** A password, which can be shown. */
export function PasswordField({ label, hint, problem, ...rest }: FieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(ids) => (
        <div className="relative">
          <input {...rest} {...ids} type={shown ? "text" : "password"} className={`${BOX} w-full h-9 pr-10 pl-3`} />
          <button
            type="button"
            className="absolute inset-y-0 right-0 flex w-9 items-center justify-center rounded-lg text-soft hover:text-ink"
            aria-label={shown ? ui.hidePassword : ui.showPassword}
            onClick={() => setShown(!shown)}
          >
            {shown ? <EyeOff aria-hidden className="size-4" /> : <Eye aria-hidden className="size-4" />}
          </button>
        </div>
      )}
    </Labelled>
  );
}

type SelectProps = Around & Omit<SelectHTMLAttributes<HTMLSelectElement>, "id">;

/** A choice of one option. */
export function Select({ label, hint, problem, children, ...rest }: SelectProps) {
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(ids) => (
        <select {...rest} {...ids} className={`${BOX} w-full h-9 px-2`}>
          {children}
        </select>
      )}
    </Labelled>
  );
}

/** A choice of one option in a toolbar: its label is only for screen readers. */
export function SmallSelect({
  label,
  className,
  ...rest
}: SelectHTMLAttributes<HTMLSelectElement> & { label: string }) {
  return <select {...rest} aria-label={label} className={`${BOX} h-8 px-2 text-[0.8125rem] ${className ?? ""}`} />;
}

/** A checkbox, with a label for screen readers. */
export function Tick({ label, className, ...rest }: InputHTMLAttributes<HTMLInputElement> & { label: string }) {
  return (
    <input type="checkbox" aria-label={label} {...rest} className={`block size-4 accent-accent ${className ?? ""}`} />
  );
}

type TextProps = Around & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id">;

/** A multi-line text. */
export function TextArea({ label, hint, problem, ...rest }: TextProps) {
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(ids) => <textarea {...rest} {...ids} className={`${BOX} block w-full resize-y px-3 py-2`} />}
    </Labelled>
  );
}
