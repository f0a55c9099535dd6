// The main job through a client generated from `openapi.json` by @hey-api/openapi-ts: upload, validate, create, read.
//
// PLAYOUT_API_URL and PLAYOUT_API_KEY name a running service and a key of it. The last line printed is
// `N passed, N failed`.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { client } from './generated/hey-api/client.gen.js'
import { createPost, getPost, listPlatforms, uploadMedia, validatePost } from './generated/hey-api/index.js'
import type { CreatePost, Post } from './generated/hey-api/index.js'

const { PLAYOUT_API_URL, PLAYOUT_API_KEY, PLAYOUT_ASSETS } = process.env
assert(PLAYOUT_API_URL && PLAYOUT_API_KEY && PLAYOUT_ASSETS, 'set PLAYOUT_API_URL, PLAYOUT_API_KEY and PLAYOUT_ASSETS')
client.setConfig({ baseUrl: PLAYOUT_API_URL, auth: PLAYOUT_API_KEY })

const platforms = await listPlatforms({ throwOnError: true })
const platformId = platforms.data.platforms[0]?.id
assert(platformId, 'the workspace has a connected account')

const file = new Blob([readFileSync(`${PLAYOUT_ASSETS}/photo-1.jpg`)], { type: 'image/jpeg' })
const media = await uploadMedia({ body: { file, fileName: 'photo-1.jpg' }, throwOnError: true })
assert.equal(media.data.status, 'READY')

const body: CreatePost = {
  platformIds: [platformId],
  content: 'Made by a client of hey-api',
  mode: 'draft',
  mediaIds: [media.data.id],
  settings: { privacy_level: 'SELF_ONLY', is_aigc: true },
}
const validated = await validatePost({ body, throwOnError: true })
const [verdict] = validated.data.results
assert(verdict?.status === 'valid', JSON.stringify(verdict))
assert.equal(verdict.willPublishAt, null)

const created = await createPost({ body, throwOnError: true })
const [result] = created.data.results
assert(result?.status === 'created', JSON.stringify(result))
const { id } = result.post.root

const read = await getPost({ path: { id }, throwOnError: true })
const post: Post = read.data.root
assert.deepEqual([post.state, post.content, post.mediaIds], ['DRAFT', body.content, body.mediaIds])

const refused = await createPost({ body: { ...body, platformIds: [] } })
assert(refused.error && 'code' in refused.error)
assert.equal(refused.error.code, 'invalid_request')
console.log('1 passed, 0 failed')
