/** What keeps a composition from being saved. */
import { ApiError, type Schemas } from "@/api/client";

/** What keeps an account's post from being saved. */
export type Trouble =
  /** Tried again by itself. */
  | { kind: "unreachable" }
  /** Somebody else changed it meanwhile: `theirs`. */
  | { kind: "changed"; theirs: Schemas["Post"] }
  /** Somebody deleted it. */
  | { kind: "gone" }
  /** It went out, or is being handed over. */
  | { kind: "out" }
  | { kind: "refused"; error: Schemas["Error"] };

/** Whether the service answered for good: asked again it would say the same. */
export function isAnswer(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  const passes = error.code === "idempotency_in_progress" || [0, 408, 429].includes(error.status);
  return error.status < 500 && !passes;
}

/** What an error of a call means. */
export function troubleOf(error: unknown): Trouble {
  if (!isAnswer(error)) return { kind: "unreachable" };
  if (error.code === "post_not_found") return { kind: "gone" };
  if (error.code === "post_not_editable") return { kind: "out" };
  return { kind: "refused", error: { code: error.code, message: error.message, details: error.details } };
}

/** What is not there cannot be deleted, and need not be. */
export function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}
