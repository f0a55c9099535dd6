import { type ReactNode, useEffect, useRef } from "react";
import { auth } from "@/strings/auth";
import { useTitle } from "@/ui/page";

/** The frame of the pages before signing in, and of those with a single question. */
export function AuthFrame({
  title,
  intro,
  children,
  below,
  follows = false,
  wide = false,
}: {
  title: string;
  intro?: string;
  children?: ReactNode;
  below?: ReactNode;
  /** Whether it replaces an earlier step: then screen readers read it from its title. */
  follows?: boolean;
  /** Wider, for content larger than a form. */
  wide?: boolean;
}) {
  useTitle(title);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (follows) heading.current?.focus();
  }, [follows]);
  return (
    <main
      className={`mx-auto flex min-h-dvh w-full flex-col justify-center px-4 py-12 ${wide ? "max-w-xl" : "max-w-sm"}`}
    >
      <Brand />
      <h1 ref={heading} tabIndex={-1} className="mt-10 break-words font-semibold text-2xl leading-8 outline-none">
        {title}
      </h1>
      {intro && <p className="mt-1 break-words text-soft">{intro}</p>}
      {children && <div className="mt-6 grid gap-4">{children}</div>}
      {below && <div className="mt-6 text-soft">{below}</div>}
    </main>
  );
}

/** The name, with its mark. */
export function Brand() {
  return (
    <span className="flex items-center gap-2.5 font-semibold text-[0.9375rem]">
      <Mark />
      {auth.brand}
    </span>
  );
}

/** The mark. */
export function Mark() {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className="size-6 shrink-0">
      <rect width="32" height="32" rx="9" className="fill-accent" />
      <path d="M11.5 9v14L23.5 16z" className="fill-on-accent" />
    </svg>
  );
}
