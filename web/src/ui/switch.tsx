import type { InputHTMLAttributes, ReactNode } from "react";

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, "title"> {
  label: string;
  note?: ReactNode;
}

/** A setting that is on or off: its name, its meaning, and the switch at the end. */
export function Switch({ label, note, ...rest }: Props) {
  return (
    <label className="flex items-start gap-4 rounded-lg has-[:disabled]:cursor-not-allowed">
      <span className="min-w-0 flex-1">
        <span className={`block ${rest.disabled ? "text-soft" : "font-medium"}`}>{label}</span>
        {note && <span className="block text-[0.8125rem] text-soft">{note}</span>}
      </span>
      <input
        type="checkbox"
        role="switch"
        {...rest}
        aria-label={label}
        aria-checked={rest.checked}
        className="relative mt-0.5 h-5 w-9 shrink-0 appearance-none rounded-full bg-line-strong transition-colors before:absolute before:top-0.5 before:left-0.5 before:size-4 before:rounded-full before:bg-surface before:transition-transform checked:bg-accent checked:before:translate-x-4 disabled:opacity-45"
      />
    </label>
  );
}
