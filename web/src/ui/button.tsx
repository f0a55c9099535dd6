import { Loader2 } from "lucide-react";
import type { ButtonHTMLAttributes, ReactNode } from "react";

type Kind = "primary" | "secondary" | "ghost" | "danger";
type Size = "small" | "medium";

const BASE =
  "inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-lg font-medium transition-colors duration-100 disabled:cursor-not-allowed disabled:opacity-55";
const KINDS: Record<Kind, string> = {
  primary: "bg-accent text-on-accent enabled:hover:bg-accent-hover [a&]:hover:bg-accent-hover",
  secondary: "border border-line bg-surface text-ink hover:bg-hover",
  ghost: "text-soft hover:bg-hover hover:text-ink",
  danger: "border border-line bg-surface text-bad hover:bg-bad-soft",
};
const SIZES: Record<Size, string> = { small: "h-8 px-3 text-[0.8125rem]", medium: "h-9 px-4" };

/** The classes of a button, for links that look like one. */
export const buttonClass = (kind: Kind = "secondary", size: Size = "medium"): string =>
  `${BASE} ${KINDS[kind]} ${SIZES[size]}`;

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: Kind;
  size?: Size;
  /** While its action runs: it cannot be pressed again. */
  busy?: boolean;
}

/** A button. It submits a form only with `type`. */
export function Button({ kind = "secondary", size = "medium", busy = false, children, className, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={`${buttonClass(kind, size)} ${className ?? ""}`}
    >
      {busy && <Loader2 aria-hidden className="size-4 animate-spin" />}
      {children}
    </button>
  );
}

interface IconProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Its label for screen readers. */
  label: string;
  children: ReactNode;
}

/** A button with only an icon. */
export function IconButton({ label, children, className, ...rest }: IconProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={`inline-flex size-8 shrink-0 items-center justify-center rounded-lg text-soft transition-colors duration-100 hover:bg-hover hover:text-ink disabled:opacity-55 ${className ?? ""}`}
    >
      {children}
    </button>
  );
}
