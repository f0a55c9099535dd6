/** Uploads: of small files in one request, of large ones in parts by tus 1.0.0, which go on after a cut. */

import { PlayoutError } from './errors.js'
import { opened } from './files.js'
import type { Source } from './files.js'
import type { Media } from './operations.js'
import { TRY_AGAIN, wait } from './retries.js'
import type { Retries } from './retries.js'

const MIB = 1 << 20
const LARGEST_IN_ONE = 16 * MIB
const PART = 8 * MIB
const TUS = { 'Tus-Resumable': '1.0.0' }
const UPLOADS = '/public/v1/media/uploads'
/** Where the last part may have been received: how often the service is asked whether it has processed the file. */
const MOST_QUESTIONS = 60
/** The statuses of the service that end an upload: what it is of cannot be received, or it is not there. */
const ENDED = [400, 404, 410, 413, 415, 422]
/** 409: the service has other bytes than this part follows. 423: an earlier try still writes. 460: the part was damaged. */
const ASK_AGAIN = [408, 409, 423, 460]

/** How a file is uploaded. */
export interface UploadOptions {
  /** Instead of the file's own name. */
  fileName?: string
  /** A folder's ID; the root without it. */
  folderId?: string
  /** The `uploadId` of an error: continues that upload. */
  resume?: string | null
  /** Gets the bytes received and those in all. */
  onProgress?: (received: number, size: number) => void
  /** Ends the upload. */
  signal?: AbortSignal
}

/** How the client sends requests. */
export interface Transport {
  /** With retries; throws where the service rejects it. */
  request: (method: string, path: string, init?: RequestInit) => Promise<Response>
  /** Once, because after a cut the service has to be asked first how much of a part was received. */
  once: (method: string, path: string, init: RequestInit) => Promise<Response>
  retries: Retries
}

export async function upload(file: string | URL | Blob, options: UploadOptions, transport: Transport): Promise<Media> {
  const source = await opened(file)
  try {
    const isSmall = !options.resume && source.size <= LARGEST_IN_ONE
    const media = await (isSmall ? inOne(source, options, transport) : inParts(source, options, transport))
    options.onProgress?.(source.size, source.size)
    return media
  } finally {
    await source.close()
  }
}

async function inOne(source: Source, options: UploadOptions, { request }: Transport): Promise<Media> {
  const form = new FormData()
  form.append('file', new Blob([await source.part(0, source.size)]), options.fileName ?? source.name)
  if (options.folderId !== undefined) form.append('folderId', options.folderId)
  return mediaOf(await request('POST', '/public/v1/media', { body: form, ...signalOf(options) }))
}

async function inParts(source: Source, options: UploadOptions, transport: Transport): Promise<Media> {
  const id = options.resume ?? (await create(source, options, transport))
  try {
    await sendFrom(id, options.resume ? null : 0, source, options, transport)
    return await finished(id, options, transport)
  } catch (error) {
    if (error instanceof PlayoutError) {
      const isOfService = error.status !== null && error.code !== 'unexpected_response'
      const hasEnded = (isOfService && ENDED.includes(error.status ?? 0)) || error.code === 'processing_failed'
      error.uploadId = hasEnded ? null : id
      error.mayBeDone = !hasEnded
    }
    throw error
  }
}

/** Returns the ID, which is that of the media object. `Location` may have another origin than this client uses. */
async function create(source: Source, options: UploadOptions, { request }: Transport): Promise<string> {
  const fields = { filename: options.fileName ?? source.name, ...(options.folderId && { folderId: options.folderId }) }
  const metadata = Object.entries(fields).map(([name, value]) => `${name} ${base64(value)}`)
  const headers = { ...TUS, 'Upload-Length': String(source.size), 'Upload-Metadata': metadata.join(',') }
  const response = await request('POST', UPLOADS, { headers, ...signalOf(options) })
  const id = response.headers.get('location')?.replace(/\/+$/, '').split('/').at(-1)
  if (!id) throw PlayoutError.unexpected(response, 'no Location')
  return id
}

/** Sends what the service lacks. Failed tries are counted from the last progress on. */
async function sendFrom(
  id: string,
  from: number | null,
  source: Source,
  options: UploadOptions,
  transport: Transport,
): Promise<void> {
  let [offset, failed, furthest] = [from, 0, -1]
  while (offset !== source.size) {
    if (offset === null) {
      offset = await received(id, source, options, transport)
      continue
    }
    if (offset > furthest) {
      ;[failed, furthest] = [0, offset]
      options.onProgress?.(offset, source.size)
    }
    let response: Response | undefined
    let cause: PlayoutError
    try {
      response = await patch(id, offset, source, options, transport)
      if (response.ok) {
        offset = offsetAfter(offset, response)
        continue
      }
      const text = await response.text()
      cause = PlayoutError.of(response, parsedOr(text))
    } catch (error) {
      options.signal?.throwIfAborted()
      if (error instanceof PlayoutError) throw error
      cause = PlayoutError.connectionFailed(error)
    }
    const status = response?.status
    if (status !== undefined && ![...ASK_AGAIN, ...TRY_AGAIN].includes(status)) throw cause
    failed += 1
    offset = null
    if (!(await wait(transport.retries, failed, response, options.signal))) throw cause
  }
}

async function patch(id: string, offset: number, source: Source, options: UploadOptions, { once }: Transport): Promise<Response> {
  const body = await source.part(offset, Math.min(offset + PART, source.size))
  const headers = { ...TUS, 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' }
  return once('PATCH', `${UPLOADS}/${id}`, { headers, body, ...signalOf(options) })
}

/** How many bytes the service has. */
async function received(id: string, source: Source, options: UploadOptions, { request }: Transport): Promise<number> {
  const response = await request('HEAD', `${UPLOADS}/${id}`, { headers: TUS, ...signalOf(options) }).catch(
    async (error: unknown) => {
      // The response to a HEAD has no body; this one has the code.
      if (error instanceof PlayoutError && error.status === 404) await request('GET', `/public/v1/media/${id}`, signalOf(options))
      throw error
    },
  )
  if (Number(response.headers.get('upload-length') ?? source.size) !== source.size) {
    throw new TypeError(`upload ${id} is of a file of another size`)
  }
  return offsetAfter(-1, response)
}

/** The media object, which is READY with the response to the last part unless that was lost. */
async function finished(id: string, options: UploadOptions, { request, retries }: Transport): Promise<Media> {
  for (let question = 0; question < MOST_QUESTIONS; question += 1) {
    const media = await mediaOf(await request('GET', `/public/v1/media/${id}`, signalOf(options)))
    if (media.failure) throw new PlayoutError(media.failure.code, media.failure.message)
    if (media.status === 'READY') return media
    await retries.sleep(1000, options.signal)
  }
  throw new PlayoutError('upload_not_ready', `the service still processes the upload ${id}`)
}

/** The offset of a response, which must be a later one. */
function offsetAfter(before: number, response: Response): number {
  const offset = Number(response.headers.get('upload-offset') ?? Number.NaN)
  if (!(offset > before)) throw PlayoutError.unexpected(response, 'no later Upload-Offset')
  return offset
}

async function mediaOf(response: Response): Promise<Media> {
  const text = await response.text()
  const media = parsedOr(text)
  if (typeof media === 'string') throw PlayoutError.unexpected(response, media)
  return media as Media
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function signalOf({ signal }: UploadOptions): { signal?: AbortSignal } {
  return signal ? { signal } : {}
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
