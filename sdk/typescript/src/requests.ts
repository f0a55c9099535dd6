/** What the operations have in common. */

/** What any operation takes. */
export interface RequestOptions {
  /** Ends the request and its tries. */
  signal?: AbortSignal
}

/** A successful response with its headers. */
export interface WithResponse<T> {
  data: T
  response: Response
  /** The version of the resource, for `ifMatch`. */
  etag: string | null
}

/** The same operations with the headers of their responses. */
export type Detailed<T> = {
  [Name in keyof T]: T[Name] extends (...parameters: infer P) => Promise<infer R>
    ? (...parameters: P) => Promise<WithResponse<R>>
    : never
}

/** The parts of a request, as the operations give them to the client. */
export interface Call {
  path?: Record<string, string>
  query?: object
  body?: unknown
  isBlob?: boolean
  ifMatch?: string
  idempotencyKey?: string
  signal?: AbortSignal
}

/** Sends a request of an operation. */
export type Caller = (method: string, path: string, call: Call) => Promise<unknown>
