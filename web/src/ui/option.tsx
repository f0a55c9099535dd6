import { type InputHTMLAttributes, type ReactNode, useId } from "react";

interface OptionProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  note: string;
  /** Before the label. */
  picture?: ReactNode;
}

/** A radio button or a checkbox with its label and its meaning. */
export function Option({ label, note, picture, ...rest }: OptionProps) {
  const id = useId();
  return (
    <label
      className={`-mx-2 flex min-w-0 gap-3 rounded-lg px-2 py-1.5 has-[:disabled]:cursor-not-allowed has-[:enabled]:hover:bg-hover ${picture ? "items-center" : "items-start"}`}
    >
      <input
        {...rest}
        aria-label={label}
        aria-describedby={id}
        className={`block size-4 shrink-0 accent-accent ${picture ? "" : "mt-0.5"}`}
      />
      {picture}
      <span className="min-w-0 flex-1">
        <span className="block break-words">{label}</span>
        <span id={id} className="block break-words text-[0.8125rem] text-soft">
          {note}
        </span>
      </span>
    </label>
  );
}

/** The layout of options: in two columns where their container is wide. */
export const OPTION_COLUMNS = "grid grid-cols-1 @lg:grid-cols-2 content-start gap-x-6";

const show = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" });

interface GroupProps {
  legend: string;
  hint?: string;
  problem: string | undefined;
  children: ReactNode;
}

/** Options with a common question. */
export function OptionGroup({ legend, hint, problem, children }: GroupProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={problem ? id : undefined} className="min-w-0">
      <legend className="mb-1 font-medium">{legend}</legend>
      {hint && <p className="mb-1 text-[0.8125rem] text-soft">{hint}</p>}
      {children}
      {problem && (
        <p id={id} ref={show} role="alert" className="mt-1 text-[0.8125rem] text-bad">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
