/** The client. */

import createClient from 'openapi-fetch'
import type { Client } from 'openapi-fetch'
import { PlayoutError } from './errors.js'
import { Operations } from './operations.js'
import type { Media } from './operations.js'
import type { Call, Detailed, WithResponse } from './requests.js'
import { RETRIES, sendWithRetries } from './retries.js'
import type { Retries, Send } from './retries.js'
import type { paths } from './schema.js'
import { upload } from './uploads.js'
import type { UploadOptions } from './uploads.js'

/** Bytes a millisecond: a connection that is slower is given up. */
const SLOWEST = 16

/** How a client finds the service and what it does when a request fails. */
export interface PlayoutOptions {
  /** The service's address; `PLAYOUT_API_URL` by default. */
  baseUrl?: string
  /** A key of the workspace; `PLAYOUT_API_KEY` by default. */
  apiKey?: string
  /** How often and how soon a request is sent again. */
  retries?: Partial<Retries>
  /** How long one try may take, 90 seconds by default: a model that writes captions takes most of a minute. Files have a second more
   * for each 16 kB. */
  timeoutMs?: number
  /** Instead of the global `fetch`. */
  fetch?: Send
}

/**
 * A client of one workspace, for one service and one API key.
 *
 * Each operation of the API is a method, which throws `PlayoutError`; `withResponse` has the same methods with the headers of the
 * response. Requests are sent again where that is safe, creating ones with an idempotency key that is kept over all tries.
 */
export class Playout extends Operations {
  /** The same operations with the headers of their responses, such as `etag`. */
  readonly withResponse: Detailed<Operations>
  /** The typed client of openapi-fetch, which returns errors instead of throwing them, with the same retries. */
  readonly api: Client<paths>
  readonly #baseUrl: string
  readonly #headers: Record<string, string>
  readonly #retries: Retries
  readonly #send: Send

  constructor(options: PlayoutOptions = {}) {
    super(async (method, path, call) => (await this.#call(method, path, call)).data)
    const environment = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env
    const baseUrl = options.baseUrl ?? environment?.PLAYOUT_API_URL
    const apiKey = options.apiKey ?? environment?.PLAYOUT_API_KEY
    if (!baseUrl || !apiKey) throw new TypeError('Playout needs baseUrl and apiKey, or PLAYOUT_API_URL and PLAYOUT_API_KEY')
    this.#baseUrl = baseUrl.replace(/\/+$/, '')
    this.#headers = { Authorization: `Bearer ${apiKey}` }
    this.#retries = { ...RETRIES, ...options.retries }
    const once = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init))
    const timeoutMs = options.timeoutMs ?? 90_000
    this.#send = (url, init) => {
      const limit = AbortSignal.timeout(Math.ceil(timeoutMs + sizeOf(init.body) / SLOWEST))
      return once(url, { ...init, signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit })
    }
    this.api = createClient<paths>({
      baseUrl: this.#baseUrl,
      headers: this.#headers,
      fetch: (request: Request) => sendWithRetries(request, this.#send, this.#retries),
    })
    // The mapped type says of each method what this does.
    this.withResponse = new Operations((method, path, call) => this.#call(method, path, call)) as unknown as Detailed<Operations>
  }

  /**
   * Uploads a file and returns its READY media object. `file` is a Blob or File, or the path of a file in Node.js.
   *
   * A large one goes in parts, and goes on where it was cut. Where all tries fail, the error's `uploadId` continues it:
   * `upload(file, { resume: error.uploadId })`, for 24 hours.
   */
  upload(file: string | URL | Blob, options: UploadOptions = {}): Promise<Media> {
    const request = async (method: string, path: string, init: RequestInit = {}) => {
      const sent = new Request(`${this.#baseUrl}${path}`, this.#init({ ...init, method }))
      const response = await sendWithRetries(sent, this.#send, this.#retries)
      if (response.ok) return response
      throw PlayoutError.of(response, await bodyOf(response))
    }
    const once = (method: string, path: string, init: RequestInit) =>
      this.#send(`${this.#baseUrl}${path}`, this.#init({ ...init, method }))
    return upload(file, options, { request, once, retries: this.#retries })
  }

  #init(init: RequestInit): RequestInit {
    return { ...init, headers: { ...(init.headers as Record<string, string> | undefined), ...this.#headers } }
  }

  async #call(method: string, path: string, call: Call): Promise<WithResponse<unknown>> {
    const header: Record<string, string> = {}
    if (call.ifMatch !== undefined) header['If-Match'] = call.ifMatch
    if (call.idempotencyKey !== undefined) header['Idempotency-Key'] = call.idempotencyKey
    // The operations' own types have checked the parts.
    const send = this.api.request as unknown as (
      method: string,
      path: string,
      init: object,
    ) => Promise<{ data?: unknown; response: Response; error?: unknown }>
    const { data, error, response } = await send(method, path, {
      params: { path: call.path ?? {}, query: call.query ?? {}, header },
      ...(call.body === undefined ? {} : { body: call.body }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
      parseAs: call.isBlob ? 'blob' : 'text',
    })
    if (!response.ok) throw PlayoutError.of(response, error)
    return { data: call.isBlob ? data : parsed(response, data), response, etag: response.headers.get('etag') }
  }
}

function sizeOf(body: RequestInit['body']): number {
  if (body instanceof Blob) return body.size
  return body instanceof ArrayBuffer || ArrayBuffer.isView(body) ? body.byteLength : 0
}

/** The body of a successful response. */
function parsed(response: Response, text: unknown): unknown {
  if (response.status === 204) return undefined
  try {
    return JSON.parse(String(text))
  } catch {
    throw PlayoutError.unexpected(response, text)
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
