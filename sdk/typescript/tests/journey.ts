/**
 * The installed package against a running service: everything that its README says.
 *
 * PLAYOUT_API_URL and PLAYOUT_API_KEY name the service and a key of it, PLAYOUT_ASSETS the folder of the demo's files. The service
 * sends webhooks to 127.0.0.1. The last line printed is `N passed, N failed`.
 */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { existsSync, mkdtempSync, openAsBlob, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Playout, PlayoutError, verifyWebhook, WebhookVerificationError } from 'playout'
import type { CreatePost, Post, PlayoutOptions, Retries } from 'playout'
import { Proxy } from './proxy.js'

const { PLAYOUT_API_URL: baseUrl, PLAYOUT_API_KEY: apiKey, PLAYOUT_ASSETS: assets } = process.env
assert(baseUrl && apiKey && assets, 'set PLAYOUT_API_URL, PLAYOUT_API_KEY and PLAYOUT_ASSETS')
const MIB = 1 << 20
const NOWHERE = '019aa124-7a00-7000-8000-00000000dead'
const folder = mkdtempSync(join(tmpdir(), 'playout-sdk-'))
const playout = new Playout()

/** Retries that wait no time; `waits` gets the milliseconds. */
function recorded(waits: number[], tries = 6): Partial<Retries> {
  const sleep = async (ms: number) => void waits.push(ms)
  return { tries, sleep, random: () => 1 }
}

/** A client whose requests have these responses or errors. */
function scripted(...answers: (Response | Error)[]) {
  const [requests, waits]: [Request[], number[]] = [[], []]
  const fetch: NonNullable<PlayoutOptions['fetch']> = async (url, init) => {
    requests.push(new Request(url, init))
    const answer = answers.shift()
    if (answer instanceof Response) return answer
    throw answer
  }
  return { client: new Playout({ fetch, retries: recorded(waits) }), requests, waits }
}

function errorOf(status: number, code: string, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify({ code, message: code }), { status, headers })
}

async function failure(promise: Promise<unknown>): Promise<PlayoutError> {
  const error: unknown = await promise.then(
    () => assert.fail('it succeeded'),
    (error: unknown) => error,
  )
  assert(error instanceof PlayoutError, String(error))
  return error
}

/** Not the first one, on which other programs publish: an account takes fifteen posts a day. */
async function account(): Promise<string> {
  const last = (await playout.listPlatforms()).platforms.at(-1)
  assert(last)
  return last.id
}

async function draft(content: string): Promise<CreatePost> {
  return { platformIds: [await account()], content, mode: 'draft' }
}

async function settled(id: string): Promise<Post> {
  for (let question = 0; question < 3000; question += 1) {
    const { root } = await playout.getPost(id)
    if (root.state !== 'QUEUE') return root
    await setTimeout(100)
  }
  throw new Error(`${id} stays in QUEUE`)
}

/** A real video of so many bytes: the demo's clip, with a `free` box of noise after it. */
function video(size: number): string {
  const clip = readFileSync(`${assets}/clip.mp4`)
  const box = randomBytes(size - clip.length)
  box.writeUInt32BE(box.length, 0)
  box.write('free', 4)
  const path = join(folder, 'kite.mp4')
  writeFileSync(path, Buffer.concat([clip, box]))
  return path
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

interface Delivery {
  body: Buffer
  headers: IncomingHttpHeaders
}

/** A server that receives deliveries; `next` waits for one of this event, about this object: others have events, too. */
async function receiver() {
  const [arrived, news]: [Delivery[], EventEmitter] = [[], new EventEmitter()]
  const server = createServer(async (request, response) => {
    arrived.push({ body: Buffer.concat(await request.toArray()), headers: request.headers })
    response.writeHead(204).end()
    news.emit('delivery')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/playout`
  const next = async (type: string, about?: string): Promise<Delivery> => {
    for (;;) {
      const delivery = arrived.shift()
      if (!delivery) {
        // A timer of its own, because Node.js ends while nothing but an `AbortSignal` waits.
        const patience = globalThis.setTimeout(() => news.emit('error', new Error('no delivery has come')), 300_000)
        await once(news, 'delivery').finally(() => clearTimeout(patience))
        continue
      }
      const event = JSON.parse(String(delivery.body)) as { type: string; data: { id?: string } }
      if (event.type === type && (about === undefined || event.data.id === about)) return delivery
    }
  }
  return { url, next, close: () => server.close() }
}

/** What differs from a genuine delivery is rejected. */
async function forgedOrOldIsRejected({ body, headers }: Delivery, secret: string): Promise<void> {
  const sent = Number(headers['webhook-timestamp'])
  const { 'webhook-signature': _, ...unsigned } = headers
  const forged: [Uint8Array | string, IncomingHttpHeaders, string, number][] = [
    [`${body} `, headers, secret, sent],
    [body, headers, `whsec_${'A'.repeat(44)}`, sent],
    [body, headers, secret, sent + 301],
    [body, headers, secret, sent - 301],
    [body, unsigned, secret, sent],
    [body, { ...headers, 'webhook-id': 'other' }, secret, sent],
    [body, { ...headers, 'webhook-timestamp': String(sent + 1) }, secret, sent],
    [body, { ...headers, 'webhook-timestamp': 'now' }, secret, sent],
    [body, { ...headers, 'webhook-signature': 'v1,AAAA v1a,AAAA v1,é' }, secret, sent],
  ]
  for (const [bytes, given, key, now] of forged) {
    await assert.rejects(verifyWebhook(bytes, given, key, { now }), WebhookVerificationError)
  }
  assert(await verifyWebhook(body, headers, secret, { now: sent + 300 }), 'five minutes are allowed')
}

const tests: Record<string, () => Promise<void>> = {
  async 'a photo is uploaded, validated, created and published'() {
    const media = await playout.upload(`${assets}/photo-1.jpg`, { fileName: 'kite.jpg' })
    assert.deepEqual([media.status, media.originalFileName, media.mimeType], ['READY', 'kite.jpg', 'image/jpeg'])
    const body: CreatePost = {
      platformIds: [await account()],
      content: 'Made by the npm package #kites',
      mode: 'now',
      mediaIds: [media.id],
      settings: { privacy_level: 'SELF_ONLY' },
    }
    assert.equal((await playout.validatePost(body)).results[0]?.status, 'valid')
    const [created] = (await playout.createPost(body)).results
    assert(created?.status === 'created', JSON.stringify(created))
    const root = await settled(created.post.root.id)
    assert.equal(root.state, 'PUBLISHED', root.errorText ?? '')
    const { attempts } = await playout.listAttempts(root.id)
    assert.equal(attempts.filter(({ outcome }) => outcome === 'published').length, 1)
  },

  async 'a post is created once over a lost response and a 503'() {
    const [content, path, waits] = [`Once ${randomUUID()}`, '/public/v1/posts', [] as number[]]
    const busy = { status: 503, headers: { 'Retry-After': '3' }, body: { code: 'unavailable', message: 'The database does not answer.' } }
    const lost = { method: 'POST', path }
    const proxy = await Proxy.start(baseUrl, [lost, { ...lost, reject: busy }, { ...lost }])
    const through = new Playout({ baseUrl: proxy.url, retries: recorded(waits) })
    const { data, response } = await through.withResponse.createPost(await draft(content))
    assert.equal(response.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(waits, [500, 3000 + 1000, 2000])
    const requests = proxy.requests('POST', path)
    assert.equal(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size, 1)
    assert.equal(requests.length, 4)
    const [result] = data.results
    assert(result?.status === 'created')
    const { posts } = await playout.listPosts({ q: content })
    assert.deepEqual(posts.map(({ id }) => id), [result.post.root.id])
  },

  async 'an error says whether the change may have been made'() {
    const [content, path] = [`Perhaps ${randomUUID()}`, '/public/v1/posts']
    const limited = { status: 429, headers: { 'Retry-After': '3600' }, body: { code: 'rate_limited', message: 'Too many requests.' } }
    const proxy = await Proxy.start(baseUrl, [{ method: 'POST', path }, { method: 'POST', path, reject: limited }])
    const through = new Playout({ baseUrl: proxy.url, retries: recorded([]) })
    const { code, mayBeDone, idempotencyKey } = await failure(through.createPost(await draft(content)))
    assert.deepEqual([code, mayBeDone], ['rate_limited', true])
    assert(idempotencyKey)
    const { response } = await playout.withResponse.createPost(await draft(content), { idempotencyKey })
    assert.equal(response.headers.get('idempotency-replayed'), 'true')
    assert.equal((await playout.listPosts({ q: content })).posts.length, 1)

    const cut = () => new TypeError('fetch failed', { cause: new Error('other side closed') })
    const refused = () => new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) })
    const cases: [() => Response | Error, boolean][] = [
      [cut, true],
      [refused, false],
      [() => errorOf(504, 'gateway'), true],
      [() => errorOf(503, 'unavailable', { 'Retry-After': '3600' }), false],
      [() => errorOf(400, 'invalid_request'), false],
      [() => errorOf(500, 'internal_error'), true],
      [() => errorOf(409, 'idempotency_in_progress'), true],
      [() => errorOf(408, 'request_timeout'), true],
      [() => new Response('<h1>Sign in</h1>', { status: 401 }), true],
      [() => new Response('Guru Meditation', { status: 503, headers: { 'Retry-After': '3600' } }), true],
    ]
    for (const [outcome, expected] of cases) {
      const outcomes = () => Array.from({ length: 6 }, outcome)
      const error = await failure(scripted(...outcomes()).client.createPost(await draft(content)))
      assert.deepEqual([error.mayBeDone, error.idempotencyKey !== null], [expected, true], error.code)
      assert.equal(error.message.includes(`idempotencyKey '${error.idempotencyKey}'`), expected)
      assert.equal((await failure(scripted(...outcomes()).client.listPosts())).mayBeDone, false)
    }
  },

  async 'a removal whose response is lost succeeds'() {
    const { id } = await playout.createFolder({ name: `Kites ${randomUUID()}` })
    const proxy = await Proxy.start(baseUrl, [{ method: 'DELETE', path: id }])
    await new Playout({ baseUrl: proxy.url, retries: recorded([]) }).deleteFolder(id)
    assert.equal(proxy.requests('DELETE', id).length, 2)
    assert(!(await playout.listFolders()).folders.some((folder) => folder.id === id))
    const cut = new TypeError('fetch failed', { cause: new Error('other side closed') })
    const gone = scripted(cut, new Response('404 page not found', { status: 404 }))
    const error = await failure(gone.client.deleteFolder(id))
    assert.deepEqual([error.code, error.mayBeDone], ['unexpected_response', true], 'nobody says that it is gone')
  },

  async 'a redirect is not followed'() {
    const moved = new Response(null, { status: 303, headers: { Location: `${baseUrl}/public/v1/posts` } })
    const { client, requests } = scripted(moved)
    const error = await failure(client.createPost(await draft('Kites')))
    assert.deepEqual([error.code, error.status, error.mayBeDone], ['unexpected_response', 303, true])
    assert.deepEqual(requests.map(({ redirect }) => redirect), ['manual'])
  },

  async 'waits double, and end'() {
    const busy = scripted(...Array.from({ length: 6 }, () => errorOf(503, 'unavailable')))
    const error = await failure(busy.client.listPlatforms())
    assert.deepEqual([error.code, error.status], ['unavailable', 503])
    assert.deepEqual([busy.requests.length, busy.waits], [6, [500, 1000, 2000, 4000, 8000]])
    const limited = scripted(errorOf(429, 'rate_limited', { 'Retry-After': '3600' }))
    assert.equal((await failure(limited.client.listPlatforms())).code, 'rate_limited')
    assert.deepEqual([limited.requests.length, limited.waits], [1, []])
  },

  async 'a request in progress is waited for'() {
    const results = new Response('{"results":[]}', { status: 201 })
    const { client, requests, waits } = scripted(errorOf(409, 'idempotency_in_progress'), results)
    assert.deepEqual(await client.createPost(await draft('Kites')), { results: [] })
    assert.equal(new Set(requests.map(({ headers }) => headers.get('idempotency-key'))).size, 1)
    assert.equal(waits.length, 1)
    const used = scripted(errorOf(409, 'media_in_use'))
    assert.equal((await failure(used.client.deleteMedia(NOWHERE))).code, 'media_in_use')
    assert.equal(used.requests.length, 1)
  },

  async 'a change of one version is not repeated blindly'() {
    const cut = new TypeError('fetch failed', { cause: new Error('other side closed') })
    const { client, requests } = scripted(cut, errorOf(412, 'precondition_failed'))
    const error = await failure(client.renameFolder(NOWHERE, { name: 'Kites' }, { ifMatch: '"1"' }))
    assert.deepEqual([error.code, error.cause], ['connection_failed', cut])
    assert.match(error.message, /^fetch failed: other side closed \(the change may have been made/)
    assert.equal(requests.length, 1)
    // A 503 that does not say when to come back is a change that was not confirmed; one that does is a rejection.
    const unclear = scripted(errorOf(503, 'unavailable'))
    const unconfirmed = await failure(unclear.client.renameFolder(NOWHERE, { name: 'Kites' }, { ifMatch: '"1"' }))
    assert.deepEqual([unconfirmed.code, unclear.requests.length], ['unavailable', 1])
    const rejected = scripted(errorOf(503, 'unavailable', { 'Retry-After': '1' }), new Response('{}'))
    await rejected.client.renameFolder(NOWHERE, { name: 'Kites' }, { ifMatch: '"1"' })
    assert.equal(rejected.requests.length, 2)
  },

  async 'a file is uploaded once over a lost response'() {
    const [name, path] = [`${randomUUID()}.jpg`, '/public/v1/media']
    const proxy = await Proxy.start(baseUrl, [{ method: 'POST', path }, { method: 'POST', path, cutAfter: 10_000 }])
    const through = new Playout({ baseUrl: proxy.url, retries: recorded([]) })
    const media = await through.upload(`${assets}/photo-1.jpg`, { fileName: name })
    assert.equal(proxy.requests('POST', path).length, 3)
    assert.equal(media.size, readFileSync(`${assets}/photo-1.jpg`).length)
    const named = (await playout.listMedia()).media.filter(({ originalFileName }) => originalFileName === name)
    assert.deepEqual(named.map(({ id }) => id), [media.id])
  },

  async 'a signal ends a request'() {
    const { client } = scripted(new Error('aborted'))
    await assert.rejects(client.listPlatforms({}, { signal: AbortSignal.abort() }), { name: 'AbortError' })
  },

  async 'a key of the caller is kept'() {
    const key = `twice-${randomUUID()}`
    const body = await draft(key)
    const send = () => playout.withResponse.createPost(body, { idempotencyKey: key })
    const replayed = [await send(), await send()].map(({ response }) => response.headers.get('idempotency-replayed'))
    assert.deepEqual(replayed, [null, 'true'])
    assert.equal((await playout.listPosts({ q: key })).posts.length, 1)
  },

  async 'a change of another version is rejected'() {
    const { data, etag, response } = await playout.withResponse.createFolder({ name: `Kites ${randomUUID()}` })
    assert(etag && response.status === 201)
    await playout.renameFolder(data.id, { name: `Winds ${randomUUID()}` }, { ifMatch: etag })
    const error = await failure(playout.deleteFolder(data.id, { ifMatch: etag }))
    assert.deepEqual([error.code, error.status], ['precondition_failed', 412])
  },

  async 'errors say what is wrong'() {
    const invalid = await failure(playout.createPost({ platformIds: [], content: '', mode: 'draft' }))
    assert.deepEqual([invalid.code, invalid.status], ['invalid_request', 400])
    assert(invalid.message && invalid.requestId && invalid.details[0]?.code)
    assert.deepEqual(invalid.details[0].path, ['platformIds'])
    const wrong = new Playout({ apiKey: 'svc_sk_wrong' })
    assert.equal((await failure(wrong.getPost(NOWHERE))).code, 'invalid_api_key')
    assert.equal((await failure(playout.getPost(NOWHERE))).code, 'post_not_found')
    const text = new File(['no picture'], 'kite.txt')
    assert.equal((await failure(playout.upload(text))).code, 'invalid_media_file')
    const page = new Response('<h1>Not found</h1>', { status: 404, headers: { 'x-request-id': 'a' } })
    const unexpected = await failure(scripted(page).client.getPost(NOWHERE))
    assert.deepEqual([unexpected.code, unexpected.status, unexpected.requestId], ['unexpected_response', 404, 'a'])
    const html = await failure(scripted(new Response('<h1>Sign in</h1>')).client.getPost(NOWHERE))
    assert.equal(html.code, 'unexpected_response')
    const { error } = await playout.api.GET('/public/v1/posts/{id}', { params: { path: { id: NOWHERE } } })
    assert.equal(error?.code, 'post_not_found')
  },

  async 'a preview is a picture'() {
    const media = await playout.upload(await openAsBlob(`${assets}/photo-1.jpg`), { fileName: 'kite.jpg' })
    const picture = await playout.previewSlide({ mediaId: media.id, caption: 'Kites' })
    assert.deepEqual([...new Uint8Array(await picture.arrayBuffer()).slice(0, 2)], [0xff, 0xd8])
  },

  async 'an upload that is cut goes on'() {
    const [file, uploads, waits, progress] = [video(20 * MIB), '/public/v1/media/uploads', [] as number[], [] as number[]]
    const proxy = await Proxy.start(baseUrl, [
      { method: 'POST', path: uploads },
      { method: 'PATCH', path: '', cutAfter: 5 * MIB },
      { method: 'PATCH', path: '', cutAfter: MIB },
    ])
    const through = new Playout({ baseUrl: proxy.url, retries: recorded(waits) })
    const media = await through.upload(file, { onProgress: (received) => progress.push(received) })
    assert.deepEqual([media.status, media.size, media.originalFileName], ['READY', 20 * MIB, 'kite.mp4'])
    // It went on with what was received: 5 MiB, and 1 more.
    const offsets = proxy.requests('PATCH', '').map(({ headers }) => Number(headers['upload-offset']) / MIB)
    assert.deepEqual(offsets, [0, 5, 6, 14])
    assert.deepEqual(progress.map((bytes) => bytes / MIB), [0, 5, 6, 14, 20])
    const there = new Uint8Array(await (await fetch(media.publicUrl)).arrayBuffer())
    assert.equal(sha256(there), sha256(readFileSync(file)))
  },

  async 'an upload that fails is continued later'() {
    const file = video(18 * MIB)
    const cuts = [3 * MIB, 0].map((cutAfter) => ({ method: 'PATCH', path: '', cutAfter }))
    const proxy = await Proxy.start(baseUrl, cuts)
    const error = await failure(new Playout({ baseUrl: proxy.url, retries: recorded([], 1) }).upload(file))
    assert.equal(error.code, 'connection_failed')
    assert(error.uploadId)
    proxy.seen.length = proxy.faults.length = 0
    const media = await new Playout({ baseUrl: proxy.url }).upload(await openAsBlob(file), { resume: error.uploadId })
    assert.deepEqual([media.id, media.status], [error.uploadId, 'READY'])
    assert.equal(proxy.requests('PATCH', '')[0]?.headers['upload-offset'], String(3 * MIB))
    assert.deepEqual(await playout.upload(file, { resume: error.uploadId }), media)
    const unknown = await failure(playout.upload(file, { resume: NOWHERE }))
    assert.deepEqual([unknown.code, unknown.uploadId], ['media_not_found', null])
  },

  async 'a large file that is no video is rejected'() {
    const png = new Blob([Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(17 * MIB, 7)])])
    const error = await failure(playout.upload(png))
    assert.deepEqual([error.code, error.uploadId], ['invalid_media_file', null])
  },

  async 'deliveries are verified'() {
    const deliveries = await receiver()
    const webhook = await playout.createWebhook({ url: deliveries.url, events: ['post.published'] })
    await playout.testWebhook(webhook.id)
    const first = await deliveries.next('webhook.test')
    const event = await verifyWebhook(first.body, first.headers, webhook.secret)
    assert(event.type === 'webhook.test' && event.data.webhookId === webhook.id)
    const asHeaders = new Headers(Object.entries(first.headers).map(([name, value]) => [name, String(value)]))
    assert.deepEqual(await verifyWebhook(String(first.body), asHeaders, webhook.secret), event)
    await forgedOrOldIsRejected(first, webhook.secret)
    // Both secrets sign while one replaces the other.
    const rotated = await playout.rotateWebhookSecret(webhook.id)
    await playout.testWebhook(webhook.id)
    const second = await deliveries.next('webhook.test')
    for (const secret of [webhook.secret, rotated.secret, [webhook.secret, rotated.secret]]) {
      assert.equal((await verifyWebhook(second.body, second.headers, secret)).type, 'webhook.test')
    }
    const media = await playout.upload(`${assets}/photo-1.jpg`)
    const { results } = await playout.createPost({
      platformIds: [await account()],
      content: 'Kites',
      mode: 'now',
      mediaIds: [media.id],
      settings: { privacy_level: 'SELF_ONLY' },
    })
    assert(results[0]?.status === 'created')
    const third = await deliveries.next('post.published', results[0].post.root.id)
    const published = await verifyWebhook(third.body, third.headers, rotated.secret)
    assert(published.type === 'post.published' && published.data.id === results[0].post.root.id)
    await playout.deleteWebhook(webhook.id)
    deliveries.close()
  },

  async 'what is signed and no event is rejected'() {
    const [body, now] = ['[]', Math.floor(Date.now() / 1000)]
    const signed = createHmac('sha256', 'kites').update(`1.${now}.${body}`).digest('base64')
    const headers = { 'webhook-id': '1', 'webhook-timestamp': String(now), 'webhook-signature': `v1,AAAA v1,${signed}` }
    const secret = `whsec_${Buffer.from('kites').toString('base64')}`
    await assert.rejects(verifyWebhook(body, headers, secret), { message: 'the body is signed, and is no event' })
  },

  async 'the examples of the README print what they say'() {
    // As the README has them, and the last one compiled, in its order.
    const examples = ['../readme-1.mjs', '../readme-2.mjs', '../readme-3.mjs', 'readme-4.js'].map((name) =>
      fileURLToPath(new URL(name, import.meta.url)),
    )
    assert(examples.every((example) => existsSync(example)))
    writeFileSync(join(folder, 'clip.mp4'), readFileSync(`${assets}/clip.mp4`))
    const printed = examples.map((example) => execFileSync(process.execPath, [example], { cwd: folder, encoding: 'utf8' }))
    assert.match(printed[0] ?? '', /^PUBLISHED /)
    assert.match(printed[1] ?? '', /^post_not_found 404 /)
  },
}

let failed = 0
for (const [name, test] of Object.entries(tests)) {
  try {
    await test()
    console.log(`ok ${name}`)
  } catch (error) {
    failed += 1
    console.log(`FAILED ${name}\n${error instanceof Error ? error.stack : error}`)
  }
}
rmSync(folder, { recursive: true, force: true })
console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
