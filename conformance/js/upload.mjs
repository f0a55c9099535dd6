// One resumable upload by tus-js-client as it is, of a file of any size.
//
// PLAYOUT_API_URL and PLAYOUT_API_KEY name a running service and a key of it, FILE the video. Prints a line `sent N` now and then, and at
// the end `hash H`, the SHA-256 of what the service then serves at the public address, as hexadecimal digits.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Upload } from 'tus-js-client'

const { PLAYOUT_API_URL: url, PLAYOUT_API_KEY: key, FILE: file } = process.env
const headers = { Authorization: `Bearer ${key}` }

const done = await new Promise((resolve, reject) => {
  const upload = new Upload(createReadStream(file), {
    endpoint: `${url}/public/v1/media/uploads`,
    headers,
    retryDelays: [0, 200, 500, 1000, 2000, 4000, 8000],
    metadata: { filename: 'kite.mp4', filetype: 'video/mp4' },
    onProgress: (sent) => console.log(`sent ${sent}`),
    onSuccess: () => resolve(upload.url),
    onError: (error) => {
      const response = error.originalResponse
      reject(response ? new Error(`${response.getStatus()} ${response.getBody()}`) : error)
    },
  })
  upload.start()
})

const media = await (await fetch(`${url}/public/v1/media/${done.split('/').at(-1)}`, { headers })).json()
const hash = createHash('sha256')
for await (const bytes of (await fetch(media.publicUrl)).body) {
  hash.update(bytes)
}
console.log(`hash ${hash.digest('hex')}`)
