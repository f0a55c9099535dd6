/** Sends a request until it has a response that another try would not change. */

import { keepTried, PlayoutError } from './errors.js'

/** How often and how soon a request is sent again: exponential backoff with full jitter, after any `Retry-After`. */
export interface Retries {
  /** How often a request is sent at most. */
  tries: number
  /** Milliseconds before the second try at most; twice as many before each further one. */
  firstWaitMs: number
  /** Milliseconds before any try at most. */
  longestWaitMs: number
  /** A response that names more milliseconds than this ends the tries. */
  longestRetryAfterMs: number
  /** Waits so many milliseconds, less if the signal ends that. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** A number from 0 to 1. */
  random: () => number
}

export const RETRIES: Retries = {
  tries: 6,
  firstWaitMs: 500,
  longestWaitMs: 8_000,
  longestRetryAfterMs: 60_000,
  sleep,
  random: Math.random,
}

/** What comes of a request that did not reach the service. */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])
/** Statuses after which another try may succeed. */
export const TRY_AGAIN: readonly number[] = [429, 502, 503, 504]

/** The code of a request of which an earlier try is still at work. */
const IN_PROGRESS = 'idempotency_in_progress'

/** A function as `fetch`, which sends a request once. */
export type Send = (url: string, init: RequestInit) => Promise<Response>

/** Waits after so many failed tries; false if there is to be no other one. */
export async function wait(retries: Retries, failed: number, response?: Response, signal?: AbortSignal): Promise<boolean> {
  const named = response ? retryAfterMs(response) : 0
  if (failed >= retries.tries || named > retries.longestRetryAfterMs) return false
  const longest = Math.min(retries.longestWaitMs, retries.firstWaitMs * 2 ** (failed - 1))
  await retries.sleep(named + retries.random() * longest, signal)
  return true
}

/**
 * Sends a request, again where that is safe and may help; returns the response, whatever its status, with its whole body.
 *
 * A POST gets an `Idempotency-Key`, once for all tries, so that the service does the work once.
 */
export async function sendWithRetries(request: Request, send: Send, retries: Retries): Promise<Response> {
  const { url, method, signal } = request
  const headers = new Headers(request.headers)
  if (method === 'POST' && !headers.has('Idempotency-Key')) headers.set('Idempotency-Key', crypto.randomUUID())
  const idempotencyKey = headers.get('Idempotency-Key')
  const changes = !['GET', 'HEAD', 'OPTIONS'].includes(method)
  const body = request.body === null ? null : await request.arrayBuffer()
  let [failed, mayBeDone] = [0, false]
  for (;;) {
    failed += 1
    let response: Response
    try {
      // The service redirects nowhere, and a redirect would make another request of this one.
      response = await whole(await send(url, { method, headers, body, signal, redirect: 'manual' }))
    } catch (error) {
      signal.throwIfAborted()
      mayBeDone ||= changes && !isNotSent(error)
      if (!canRepeat(headers, error) || !(await wait(retries, failed, undefined, signal))) {
        throw PlayoutError.connectionFailed(error, { mayBeDone, idempotencyKey })
      }
      continue
    }
    const code = await codeOf(response)
    if (mayBeDone && method === 'DELETE' && response.status === 404 && code?.endsWith('_not_found')) {
      // An earlier try, whose response was lost, removed it.
      return new Response(null, { status: 204, headers: response.headers })
    }
    const unclear = isUnclear(response, code)
    const mayHelp = TRY_AGAIN.includes(response.status) || code === IN_PROGRESS
    // A success is one, also where its body cannot be read.
    mayBeDone ||= changes && (unclear || response.ok)
    if (!mayHelp || (unclear && !canRepeat(headers)) || !(await wait(retries, failed, response, signal))) {
      return keepTried(response, { mayBeDone, idempotencyKey })
    }
  }
}

/** Whether the request may have had its effect although this is no success. Only the service itself says that it rejected a request: its
 * errors have a code. Anything else may come from a proxy, while the service did the work. A 503 of the service without `Retry-After`
 * means that a change was not confirmed, and what took too long (408) goes on. */
function isUnclear({ ok, status, headers }: Response, code: string | null): boolean {
  if (ok) return false
  const isBusy = status === 503 && headers.has('retry-after')
  const goesOn = code === IN_PROGRESS || code === 'request_timeout'
  return code === null || goesOn || (status >= 500 && !isBusy)
}

/** The code of an error of the service. */
async function codeOf(response: Response): Promise<string | null> {
  if (response.ok) return null
  const body: unknown = await response.clone().json().catch(() => null)
  const code = (body as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : null
}

/** Whether a request whose response is lost can be sent again. A change of one version (`If-Match`) without an idempotency key
 * would be rejected, although it was made. */
function canRepeat(headers: Headers, error?: unknown): boolean {
  return isNotSent(error) || headers.has('Idempotency-Key') || !headers.has('If-Match')
}

function isNotSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return (typeof code === 'string' && NOT_SENT.has(code)) || isNotSent(error.cause)
}

/** A response whose body has arrived: it may be cut, too. */
async function whole(response: Response): Promise<Response> {
  const { statusText, headers } = response
  // A browser does not show where a redirect leads.
  const status = response.type === 'opaqueredirect' ? 399 : response.status
  const bytes = await response.arrayBuffer()
  const hasBody = ![204, 205, 304].includes(status)
  return new Response(hasBody ? bytes : null, { status, statusText, headers })
}

/** The milliseconds that a response names, 0 if it names none. */
function retryAfterMs(response: Response): number {
  const value = response.headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const until = Date.parse(value)
  return Number.isNaN(until) ? 0 : Math.max(0, until - Date.now())
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
