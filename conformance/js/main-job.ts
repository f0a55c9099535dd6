// The main job through a client generated from `openapi.json`: upload, create, wait, see it published.
//
// PLAYOUT_API_URL and PLAYOUT_API_KEY name a running service and a key of it. The last line printed is
// `N passed, N failed`.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import createClient from 'openapi-fetch'
import type { components, paths } from './generated/schema.js'

type Post = components['schemas']['Post']

const baseUrl = process.env.PLAYOUT_API_URL
const key = process.env.PLAYOUT_API_KEY
const assets = process.env.PLAYOUT_ASSETS
assert(baseUrl && key && assets, 'set PLAYOUT_API_URL, PLAYOUT_API_KEY and PLAYOUT_ASSETS')

const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })

async function platform() {
  const { data, error } = await api.GET('/public/v1/platforms')
  assert(data, JSON.stringify(error))
  const [first] = data.platforms
  assert(first, 'the workspace has a connected account')
  return first
}

async function uploadPhoto(name: string) {
  const file = new Blob([readFileSync(`${assets}/${name}`)], { type: 'image/jpeg' })
  const { data, error, response } = await api.POST('/public/v1/media', {
    body: { file, fileName: name },
    bodySerializer(body) {
      const form = new FormData()
      for (const [part, value] of Object.entries(body)) form.append(part, value)
      return form
    },
  })
  assert(data, JSON.stringify(error))
  assert.equal(response.status, 201)
  assert.equal(data.status, 'READY')
  return data.id
}

async function settled(id: string): Promise<Post> {
  for (let tries = 0; tries < 3_000; tries += 1) {
    const { data } = await api.GET('/public/v1/posts/{id}', { params: { path: { id } } })
    assert(data)
    if (data.root.state !== 'QUEUE') return data.root
    await setTimeout(100)
  }
  throw new Error(`${id} stays in QUEUE`)
}

const tests: Record<string, () => Promise<void>> = {
  async 'a slideshow is uploaded, validated, created and published'() {
    const { id: platformId } = await platform()
    const { data: found } = await api.GET('/public/v1/platforms/{id}/schema', { params: { path: { id: platformId } } })
    const privacy = found?.schema.settings.fields.find((field) => field.name === 'privacy_level')
    assert(privacy?.enum?.includes('SELF_ONLY'))
    const mediaIds = [await uploadPhoto('photo-1.jpg'), await uploadPhoto('photo-2.jpg')]
    const body = {
      platformIds: [platformId],
      content: 'Made by a generated client #kites',
      mode: 'now' as const,
      mediaIds,
      settings: { privacy_level: 'SELF_ONLY' as const },
    }
    const validated = await api.POST('/public/v1/posts/validate', { body })
    assert.equal(validated.data?.results[0]?.status, 'valid')
    const params = { header: { 'Idempotency-Key': randomUUID() } }
    const created = await api.POST('/public/v1/posts', { body, params })
    const result = created.data?.results[0]
    assert(result?.status === 'created', JSON.stringify(created))
    const again = await api.POST('/public/v1/posts', { body, params })
    assert.equal(again.response.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(again.data, created.data)
    const post = await settled(result.post.root.id)
    assert.equal(post.state, 'PUBLISHED', post.errorText ?? '')
    const attempts = await api.GET('/public/v1/posts/{id}/attempts', { params: { path: { id: post.id } } })
    // A provider that is busy may be tried more than once; it publishes once.
    const outcomes = attempts.data?.attempts.map((attempt) => attempt.outcome) ?? []
    assert.deepEqual(outcomes.filter((outcome) => outcome === 'published'), ['published'])
    assert.equal(outcomes.at(-1), 'published')
  },

  async 'a refusal has a code that the types know'() {
    const id = '019aa124-7a00-7000-8000-00000000dead'
    const { data, error, response } = await api.GET('/public/v1/posts/{id}', { params: { path: { id } } })
    assert.equal(data, undefined)
    assert.equal(response.status, 404)
    assert.equal(error?.code, 'post_not_found')
  },

  async 'pages follow one another to the end'() {
    const seen = new Set<string>()
    let cursor: string | null = null
    do {
      const query: { limit: number; cursor?: string } = cursor ? { limit: 2, cursor } : { limit: 2 }
      const { data } = await api.GET('/public/v1/media', { params: { query } })
      assert(data)
      for (const media of data.media) {
        assert(!seen.has(media.id), 'a page repeats nothing')
        seen.add(media.id)
      }
      cursor = data.nextCursor
    } while (cursor)
    assert(seen.size >= 2)
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
console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
