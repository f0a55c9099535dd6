import { useId } from "react";

interface Props<T extends string> {
  label: string;
  value: T;
  options: readonly T[];
  names: Record<T, string>;
  onChange: (value: T) => void;
}

/** A choice of one among a few, all visible. Arrow keys move between them. */
export function Choice<T extends string>({ label, value, options, names, onChange }: Props<T>) {
  const group = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{label}</legend>
      <div className="flex items-center gap-3">
        <span aria-hidden className="w-16 shrink-0 font-medium">
          {label}
        </span>
        <div className="flex min-w-0 flex-1 rounded-lg border border-line bg-sunken p-0.5">
          {options.map((option) => (
            <label
              key={option}
              className="relative flex h-7 min-w-0 flex-1 items-center justify-center rounded-md px-2 text-[0.8125rem] text-soft transition-colors hover:text-ink has-checked:bg-surface dark:has-checked:bg-line has-checked:font-medium has-checked:text-ink has-checked:shadow-sm has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-1"
            >
              <input
                type="radio"
                name={group}
                value={option}
                checked={option === value}
                onChange={() => onChange(option)}
                className="absolute inset-0 cursor-pointer opacity-0"
              />
              <span className="truncate">{names[option]}</span>
            </label>
          ))}
        </div>
      </div>
    </fieldset>
  );
}
