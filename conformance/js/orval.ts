// The main job through a client generated from `openapi.json` by orval: upload, validate, create, read.
//
// PLAYOUT_API_URL, at generation too, and PLAYOUT_API_KEY name a running service and a key of it. The last line printed is
// `N passed, N failed`.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createPost, getPost, listPlatforms, uploadMedia, validatePost } from './generated/orval.js'
import type { CreatePost, Post } from './generated/orval.js'

const { PLAYOUT_API_KEY, PLAYOUT_ASSETS } = process.env
assert(PLAYOUT_API_KEY && PLAYOUT_ASSETS, 'set PLAYOUT_API_KEY and PLAYOUT_ASSETS')
const options = { headers: { Authorization: `Bearer ${PLAYOUT_API_KEY}` } }

const platforms = await listPlatforms({}, options)
assert(platforms.status === 200, JSON.stringify(platforms))
const platformId = platforms.data.platforms[0]?.id
assert(platformId, 'the workspace has a connected account')

const file = new Blob([readFileSync(`${PLAYOUT_ASSETS}/photo-1.jpg`)], { type: 'image/jpeg' })
const media = await uploadMedia({ file, fileName: 'photo-1.jpg' }, options)
assert(media.status === 201, JSON.stringify(media))
assert.equal(media.data.status, 'READY')

const body: CreatePost = {
  platformIds: [platformId],
  content: 'Made by a client of orval',
  mode: 'draft',
  mediaIds: [media.data.id],
  settings: { privacy_level: 'SELF_ONLY', is_aigc: true },
}
const validated = await validatePost(body, options)
assert(validated.status === 200, JSON.stringify(validated))
const [verdict] = validated.data.results
assert(verdict?.status === 'valid', JSON.stringify(verdict))
assert.equal(verdict.willPublishAt, null)

const created = await createPost(body, options)
assert(created.status === 201, JSON.stringify(created))
const [result] = created.data.results
assert(result?.status === 'created', JSON.stringify(result))
const { id } = result.post.root

const read = await getPost(id, options)
assert(read.status === 200, JSON.stringify(read))
const post: Post = read.data.root
assert.deepEqual([post.state, post.content, post.mediaIds], ['DRAFT', body.content, body.mediaIds])

const refused = await createPost({ ...body, platformIds: [] }, options)
assert(refused.status === 400)
assert.equal(refused.data.code, 'invalid_request')
console.log('1 passed, 0 failed')
