// Resumable uploads by tus-js-client, the client that browsers use.
//
// PLAYOUT_API_URL and PLAYOUT_API_KEY name a running service and a key of it. PLAYOUTD names the program: with it the script
// starts a service of its own in a temporary directory, uses that if no other is named, and kills and restarts it in the
// middle of an upload. The last line printed is `N passed, N failed`.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DefaultHttpStack, FileUrlStorage, Upload } from 'tus-js-client'
import { Cutter } from './cutter.mjs'
import { Service } from './service.mjs'

const MIB = 1 << 20
const dir = mkdtempSync(join(tmpdir(), 'playout-tus-'))
const own = process.env.PLAYOUTD ? await Service.create(process.env.PLAYOUTD, join(dir, 'service')) : null
const url = process.env.PLAYOUT_API_URL ?? own?.url
const key = process.env.PLAYOUT_API_KEY ?? own?.key
assert(url && key, 'set PLAYOUT_API_URL and PLAYOUT_API_KEY, or PLAYOUTD')
const options = {
  endpoint: `${url}/public/v1/media/uploads`,
  headers: { Authorization: `Bearer ${key}` },
  retryDelays: [0, 200, 500, 1000, 2000, 4000, 8000],
}

/** A real video of so many bytes: the demo's clip, with a `free` box of noise after it. */
function video(bytes, seed) {
  const clip = readFileSync(new URL('../../assets/demo/clip.mp4', import.meta.url))
  const box = Buffer.alloc(bytes - clip.length)
  for (let at = 8, state = seed; at < box.length; at += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    box[at] = state >>> 24
  }
  box.writeUInt32BE(box.length, 0)
  box.write('free', 4)
  return Buffer.concat([clip, box])
}

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/** Uploads; resolves with the upload once it is done. `adjust` may change it before it starts. */
function upload(file, more = {}, adjust = () => {}) {
  return new Promise((resolve, reject) => {
    const metadata = { filename: 'kite.mp4', filetype: 'video/mp4' }
    const started = new Upload(file, {
      ...options,
      metadata,
      ...more,
      onSuccess: () => resolve(started),
      onError: reject,
    })
    Promise.resolve(adjust(started)).then(() => started.start(), reject)
  })
}

const ask = (path, method = 'GET', headers = {}) =>
  fetch(path.startsWith('http') ? path : `${url}${path}`, { method, headers: { ...options.headers, ...headers } })

const head = (location) => ask(location, 'HEAD', { 'Tus-Resumable': '1.0.0' })

/** Asserts that an upload became READY media with these bytes. */
async function isWhole(done, bytes) {
  const id = done.url.split('/').at(-1)
  const media = await (await ask(`/public/v1/media/${id}`)).json()
  assert.equal(media.status, 'READY')
  assert.equal(media.originalFileName, 'kite.mp4')
  assert.equal(media.size, bytes.length)
  const file = await fetch(media.publicUrl)
  assert.equal(sha256(Buffer.from(await file.arrayBuffer())), sha256(bytes))
  assert.equal((await head(done.url)).headers.get('upload-offset'), String(bytes.length))
}

/** A stack whose connections all lead through `cutter`. */
function through(cutter) {
  const agent = new Agent({ keepAlive: false })
  agent.createConnection = () => connect(cutter.port, '127.0.0.1')
  return new DefaultHttpStack({ agent })
}

const tests = {
  async 'a video in chunks of one MiB'() {
    const bytes = video(5 * MIB + 12_345, 1)
    await isWhole(await upload(bytes, { chunkSize: MIB }), bytes)
  },

  async 'a video in one request, from a stream of its file'() {
    const bytes = video(9 * MIB, 2)
    writeFileSync(join(dir, 'kite.mp4'), bytes)
    await isWhole(await upload(createReadStream(join(dir, 'kite.mp4'))), bytes)
  },

  async 'a video that begins in the request that creates its upload'() {
    const bytes = video(3 * MIB, 3)
    const inOne = await upload(bytes, { uploadDataDuringCreation: true })
    await isWhole(inOne, bytes)
    await isWhole(await upload(bytes, { uploadDataDuringCreation: true, chunkSize: MIB }), bytes)
  },

  async 'by POST alone'() {
    const bytes = video(2 * MIB, 4)
    await isWhole(await upload(bytes, { chunkSize: MIB, overridePatchMethod: true }), bytes)
  },

  async 'a connection that is cut in the middle, three times'() {
    const bytes = video(24 * MIB, 5)
    const cutter = await Cutter.listen(new URL(url), [5 * MIB, 9 * MIB, 100])
    const accepted = []
    const done = await upload(bytes, {
      httpStack: through(cutter),
      onAfterResponse: (request, response) => {
        if (request.getMethod() === 'HEAD') accepted.push(Number(response.getHeader('upload-offset')))
      },
    })
    cutter.close()
    await isWhole(done, bytes)
    assert.equal(cutter.cuts, 3)
    assert(accepted.some((offset) => offset > 0 && offset < bytes.length), `went on from ${accepted}`)
  },

  async 'a client that starts anew goes on with what it remembers'() {
    const bytes = video(6 * MIB, 6)
    writeFileSync(join(dir, 'kite.mp4'), bytes)
    const urlStorage = new FileUrlStorage(join(dir, 'urls.json'))
    const file = () => createReadStream(join(dir, 'kite.mp4'))
    const remembered = { urlStorage, chunkSize: MIB, storeFingerprintForResuming: true }
    const first = await new Promise((resolve, reject) => {
      const started = new Upload(file(), {
        ...options,
        ...remembered,
        metadata: { filename: 'kite.mp4' },
        onError: reject,
        onChunkComplete: (_, sent) => {
          if (sent >= 2 * MIB) started.abort().then(() => resolve(started), reject)
        },
      })
      started.start()
    })
    let from = null
    const second = await upload(
      file(),
      { ...remembered, onChunkComplete: (size, sent) => (from ??= sent - size) },
      async (started) => {
        const [previous] = await started.findPreviousUploads()
        assert(previous, 'nothing was remembered')
        started.resumeFromPreviousUpload(previous)
      },
    )
    assert.equal(second.url, first.url)
    assert(from >= 2 * MIB, `went on from ${from}`)
    await isWhole(second, bytes)
  },

  async 'an upload that is given up'() {
    const bytes = video(4 * MIB, 7)
    const unfinished = await new Promise((resolve, reject) => {
      const started = new Upload(bytes, {
        ...options,
        chunkSize: MIB,
        onError: reject,
        onChunkComplete: () => {
          const location = started.url
          started.abort(true).then(() => resolve(location), reject)
        },
      })
      started.start()
    })
    assert.equal((await head(unfinished)).status, 404)
    const finished = (await upload(bytes)).url
    assert.equal((await head(finished)).status, 200)
    await Upload.terminate(finished, options)
    assert.equal((await head(finished)).status, 404)
  },

  async 'what is no video is refused with a reason'() {
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100_000, 7)])
    const error = await upload(png, { metadata: {} }).then(
      () => assert.fail('it was taken'),
      (error) => error,
    )
    assert.equal(error.originalResponse.getStatus(), 400)
    assert.equal(JSON.parse(error.originalResponse.getBody()).code, 'invalid_media_file')
  },

  async 'what the service offers'() {
    const offer = await fetch(options.endpoint, { method: 'OPTIONS' })
    const extensions = offer.headers.get('tus-extension').split(',')
    for (const name of ['creation', 'creation-with-upload', 'termination', 'checksum', 'expiration']) {
      assert(extensions.includes(name), name)
    }
    assert.equal(offer.headers.get('tus-version'), '1.0.0')
    assert(offer.headers.get('tus-checksum-algorithm').split(',').includes('sha1'))
  },
}

if (own) {
  tests['a service that is killed and started again in the middle'] = async () => {
    const bytes = video(20 * MIB, 8)
    let killed = 0
    const done = await upload(bytes, {
      endpoint: `${own.url}/public/v1/media/uploads`,
      headers: { Authorization: `Bearer ${own.key}` },
      chunkSize: 2 * MIB,
      onChunkComplete: (_, sent) => {
        if (sent >= (killed + 1) * 6 * MIB && killed < 2) {
          killed += 1
          own.restart()
        }
      },
    })
    assert.equal(killed, 2)
    await own.ready()
    if (own.url === url) await isWhole(done, bytes)
  }
}

let [passed, failed] = [0, 0]
for (const [name, test] of Object.entries(tests)) {
  try {
    await test()
    passed += 1
    console.log(`ok      ${name}`)
  } catch (error) {
    failed += 1
    console.log(`FAILED  ${name}: ${error.stack ?? error}`)
  }
}
own?.stop()
rmSync(dir, { recursive: true, force: true })
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
