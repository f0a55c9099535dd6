/** Reasons why a composition cannot be saved. */
import { ApiError, type Schemas } from "@/api/client";

/** The reason why an account's post cannot be saved. */
export type Trouble =
  /** Retried automatically. */
  | { kind: "unreachable" }
  /** Someone else has changed it meanwhile: `theirs`. */
  | { kind: "changed"; theirs: Schemas["Post"] }
  /** Someone has deleted it. */
  | { kind: "gone" }
  /** It is published, or is being submitted. */
  | { kind: "out" }
  | { kind: "refused"; error: Schemas["Error"] };

/** Whether the service has responded: a retry would get the same response. */
export function isAnswer(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  const passes = error.code === "idempotency_in_progress" || [0, 408, 429].includes(error.status);
  return error.status < 500 && !passes;
}

/** The problem that an error of a call means. */
export function troubleOf(error: unknown): Trouble {
  if (!isAnswer(error)) return { kind: "unreachable" };
  if (error.code === "post_not_found") return { kind: "gone" };
  if (error.code === "post_not_editable") return { kind: "out" };
  return { kind: "refused", error: { code: error.code, message: error.message, details: error.details } };
}

/** Ignores that an item to delete does not exist. */
export function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}

/** Returns null if an item had changed since it was read. */
export function unlessStale(error: unknown): null {
  if (!(error instanceof ApiError && error.code === "precondition_failed")) throw error;
  return null;
}
