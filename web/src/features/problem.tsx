/** API errors as messages for people. */
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiError } from "@/api/client";
import { problems } from "@/strings/shell";
import { ui } from "@/strings/ui";
import { ErrorState, Skeleton } from "@/ui/page";
import { Notice } from "@/ui/parts";
import { toastFailure } from "@/ui/toasts";

interface Told {
  title: string;
  advice: string;
  requestId: string | null;
}

/** The title and the advice for any error, where the request ID is shown below if there is one. */
export function told(error: unknown): Told {
  const { title, advice } = plainly(error);
  const requestId = error instanceof ApiError ? error.requestId : null;
  const { internal_error } = problems;
  const isNumbered = advice === internal_error.advice && requestId;
  return { title, advice: isNumbered ? internal_error.adviceWithNumber : advice, requestId };
}

/** The same where no request ID is shown. */
function plainly(error: unknown): { title: string; advice: string } {
  if (!(error instanceof ApiError)) return problems.internal_error;
  return known(error) ?? { title: problems.other.title, advice: error.message };
}

function known(error: ApiError) {
  const { unreachable, forbidden, rate_limited, internal_error, precondition_failed, refused_by_proxy, not_found } =
    problems;
  const byCode: Record<string, { title: string; advice: string }> = {
    unreachable,
    forbidden,
    rate_limited,
    internal_error,
    precondition_failed,
    refused_by_proxy,
    not_found,
    post_not_found: not_found,
    platform_not_found: not_found,
    media_not_found: not_found,
    folder_not_found: not_found,
    webhook_not_found: not_found,
  };
  return byCode[error.code] ?? (error.status >= 500 ? internal_error : undefined);
}

/** One sentence for an error: the service's own if it has one. */
export function sentence(error: unknown): string {
  const { title, advice } = plainly(error);
  const own = error instanceof ApiError && error.status < 500 ? error.message : "";
  return own || `${title}. ${advice}`;
}

/** Reports a failed action at the bottom of the page. */
export const tellFailure = (error: unknown): void => toastFailure(sentence(error));

/** The problems of a failed form that belong to no field. */
export function FormProblem({ error, fields }: { error: unknown; fields: readonly string[] }) {
  if (!error) return null;
  const isBeside = error instanceof ApiError && fields.some((field) => error.problems.has(field));
  if (isBeside) return null;
  const { title, advice, requestId } = told(error);
  const isNumbered = requestId !== null && error instanceof ApiError && error.status >= 500;
  return (
    <Notice tone="bad" role="alert">
      <p>{isNumbered ? `${title}. ${advice}` : sentence(error)}</p>
      {isNumbered && (
        <p className="mt-1 break-all text-xs">
          {ui.requestId} {requestId}
        </p>
      )}
    </Notice>
  );
}

/** The problem of a field of a failed form. */
export const problemOf = (error: unknown, field: string): string | undefined =>
  error instanceof ApiError ? error.problems.get(field) : undefined;

/** The states of a query: a placeholder while it loads, its error, or its data. */
export function Loaded<T>({
  query,
  children,
  rows = 4,
}: {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
  rows?: number;
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isPending) return <Skeleton rows={rows} />;
  return <ErrorState {...told(query.error)} onRetry={() => void query.refetch()} />;
}
