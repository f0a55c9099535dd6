import { CircleAlert, type LucideIcon } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { ui } from "@/strings/ui";
import { Button } from "./button";

interface PageProps {
  title: string;
  intro?: ReactNode;
  actions?: ReactNode;
  /** The link to the parent page. */
  back?: ReactNode;
  /** As wide as the window, for pages with much content. */
  wide?: boolean;
  children: ReactNode;
}

/** A page's title, its actions, and its content below. */
export function Page({ title, intro, actions, back, wide = false, children }: PageProps) {
  useTitle(title);
  return (
    <div
      className={`mx-auto w-full px-4 pt-6 pb-28 md:px-8 md:pt-10 md:pb-16 ${wide ? "max-w-[120rem]" : "max-w-5xl"}`}
    >
      {back && <p className="-mt-2 mb-3 md:-mt-4">{back}</p>}
      <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3 md:mb-8">
        <div className="min-w-0">
          <h1 className="break-words font-semibold text-xl leading-7">{title}</h1>
          {intro && <div className="mt-1 max-w-prose text-soft">{intro}</div>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** The window's title. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Playout" : `${title} · Playout`;
  }, [title]);
}

/** A part of a page. */
export function Section({
  title,
  intro,
  actions,
  children,
}: {
  title: string;
  intro?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <section className="mt-10 first:mt-0">
      <div className="mb-3 flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div>
          <h2 className="font-semibold text-[0.9375rem] leading-6">{title}</h2>
          {intro && <p className="max-w-prose text-soft">{intro}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** A list with lines between its rows. */
export function Rows({ children, label }: { children: ReactNode; label: string }) {
  return (
    <ul aria-label={label} className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface">
      {children}
    </ul>
  );
}

/** The placeholder while content loads. */
export function Skeleton({ rows = 4 }: { rows?: number }) {
  return (
    <div
      aria-busy
      className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface"
      role="status"
    >
      <span className="sr-only">Loading</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
        <div key={row} className="flex h-14 animate-pulse items-center gap-4 px-4">
          <div className="size-8 shrink-0 rounded-full bg-sunken" />
          <div className="h-3 w-1/3 rounded bg-sunken" />
          <div className="ml-auto h-3 w-20 rounded bg-sunken" />
        </div>
      ))}
    </div>
  );
}

/** The placeholder of an empty page: what will be here, and one action. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
}: {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="grid justify-items-center rounded-xl border border-line border-dashed px-6 py-14 text-center">
      <Icon aria-hidden className="mb-4 size-6 text-soft" strokeWidth={1.5} />
      <p className="font-medium">{title}</p>
      {children && <div className="mt-1 max-w-sm text-soft">{children}</div>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}

/** Why something cannot be shown, what to do, and the request ID for the operator. */
export function ErrorState({
  title,
  advice,
  requestId,
  onRetry,
}: {
  title: string;
  advice: string;
  requestId: string | null;
  onRetry?: () => void;
}) {
  return (
    <div role="alert" className="grid justify-items-center rounded-xl border border-line px-6 py-12 text-center">
      <CircleAlert aria-hidden className="mb-4 size-6 text-bad" strokeWidth={1.5} />
      <p className="font-medium">{title}</p>
      <p className="mt-1 max-w-md text-soft">{advice}</p>
      {requestId && (
        <p className="mt-2 break-all text-soft text-xs">
          {ui.requestId} <code className="font-mono">{requestId}</code>
        </p>
      )}
      {onRetry && (
        <Button className="mt-5" onClick={onRetry}>
          {ui.tryAgain}
        </Button>
      )}
    </div>
  );
}
