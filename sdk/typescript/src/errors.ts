/** The one error of the client. */

/** A problem of an `invalid_request`, or the figures of a limit. */
export interface ErrorDetail {
  path?: (string | number)[]
  code?: string
  message?: string
  [name: string]: unknown
}

interface Circumstances {
  details?: ErrorDetail[]
  requestId?: string | null
  status?: number | null
  cause?: unknown
  mayBeDone?: boolean
  idempotencyKey?: string | null
}

/** What is known of the request of a response, over all its tries. */
export interface Tried {
  /** Whether an earlier try, or this one, may have made the change. */
  mayBeDone: boolean
  /** The key of the request, if it has one. */
  idempotencyKey: string | null
}

const tried = new WeakMap<Response, Tried>()

/** Keeps what is known of a request for the error that its response becomes. */
export function keepTried(response: Response, known: Tried): Response {
  tried.set(response, known)
  return response
}

/** A request failed: the service rejected it, or there was no response after all tries. */
export class PlayoutError extends Error {
  override readonly name = 'PlayoutError'
  /** What went wrong, for programs: a code of the service, `connection_failed` without a response, or `unexpected_response` where
   * the response is not the service's. */
  readonly code: string
  /** Of `invalid_request`, each problem with its `path`, `code` and `message`; of a limit, one entry, its figures. */
  readonly details: ErrorDetail[]
  /** The request's ID in the log of the service. */
  readonly requestId: string | null
  /** The status of the response, if there was one. */
  readonly status: number | null
  /** Whether the change may have been made all the same: a response was lost, of this try or of an earlier one. The same request with
   * `idempotencyKey` is then done once. */
  mayBeDone: boolean
  /** The `Idempotency-Key` of the request, the caller's or the client's own. */
  readonly idempotencyKey: string | null
  /** Of an upload in parts that can be continued: `upload(file, { resume: error.uploadId })`. */
  uploadId: string | null = null

  constructor(code: string, message: string, circumstances: Circumstances = {}) {
    const { details, requestId, status, cause, mayBeDone, idempotencyKey } = circumstances
    super(mayBeDone ? `${message} (${doubt(idempotencyKey)})` : message, cause === undefined ? undefined : { cause })
    this.code = code
    this.details = details ?? []
    this.requestId = requestId ?? null
    this.status = status ?? null
    this.mayBeDone = mayBeDone ?? false
    this.idempotencyKey = idempotencyKey ?? null
  }

  /** Reads the body of an error, which is not the service's own where a proxy answers. */
  static of(response: Response, body: unknown): PlayoutError {
    if (!isObject(body) || typeof body.code !== 'string' || typeof body.message !== 'string') {
      return PlayoutError.unexpected(response, body)
    }
    const details = isObject(body.details) ? [body.details] : body.details
    return new PlayoutError(body.code, body.message, {
      ...circumstances(response),
      details: Array.isArray(details) ? (details as ErrorDetail[]) : [],
    })
  }

  /** A response that does not have the documented form. */
  static unexpected(response: Response, body: unknown): PlayoutError {
    const shown = (typeof body === 'string' ? body : (JSON.stringify(body) ?? '')).slice(0, 200)
    const message = `status ${response.status} with a body that is not documented: ${shown}`
    return new PlayoutError('unexpected_response', message, circumstances(response))
  }

  /** No response, or only a part of one. */
  static connectionFailed(cause: unknown, known?: Tried): PlayoutError {
    return new PlayoutError('connection_failed', messagesOf(cause), { ...known, cause })
  }
}

function circumstances(response: Response): Circumstances {
  return { ...tried.get(response), status: response.status, requestId: response.headers.get('x-request-id') }
}

function doubt(idempotencyKey?: string | null): string {
  const again = idempotencyKey ? `; the same call with idempotencyKey '${idempotencyKey}' has its effect once` : ''
  return `the change may have been made all the same${again}`
}

/** The text of an error with those that caused it: fetch hides in them what happened. */
function messagesOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${messagesOf(error.cause)}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
