// Requests that are refused before their bodies are read, among good ones, over kept connections: none may fail by a
// connection that was closed under it. By fetch of Node.js, directly and through a proxy that keeps its connections.
//
// PLAYOUT_API_URL names a running service, PLAYOUT_PROXY_URL an nginx in front of it, PLAYOUT_API_KEY a key. The last line
// printed is `N passed, N failed`.

const DIRECTLY = 2_000
const PROXIED = 10_000
const AT_ONCE = 32

const { PLAYOUT_API_URL, PLAYOUT_PROXY_URL, PLAYOUT_API_KEY } = process.env
const authorization = `Bearer ${PLAYOUT_API_KEY}`
const json = 'application/json'
const [small, medium, large] = [300, 60_000, 1_200_000].map((size) => JSON.stringify({ content: 'a'.repeat(size) }))

/** What is asked, and the status it must have. */
const REQUESTS = [
  [200, '/healthz', {}],
  [401, '/public/v1/posts', { method: 'POST', headers: { 'content-type': json }, body: small }],
  [200, '/public/v1/platforms', { headers: { authorization } }],
  [401, '/public/v1/media', { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=b' }, body: medium }],
  [404, '/public/v1/nothing', { method: 'POST', headers: { authorization, 'content-type': json }, body: small }],
  [405, '/healthz', { method: 'POST', headers: { 'content-type': json }, body: medium }],
  [200, '/healthz', {}],
  [415, '/public/v1/posts', { method: 'POST', headers: { authorization, 'content-type': 'text/plain' }, body: small }],
  [400, '/public/v1/posts', { method: 'POST', headers: { authorization, 'content-type': json }, body: small }],
  [404, '/nothing', { method: 'PUT', headers: { 'content-type': json }, body: medium }],
]
/** Larger than a refusal drains; seldom, because of what sending it takes. */
const LARGE = [401, '/public/v1/posts', { method: 'POST', headers: { 'content-type': json }, body: large }]

async function send(url, number) {
  const [status, path, options] = number % 100 === 99 ? LARGE : REQUESTS[number % REQUESTS.length]
  const answer = await fetch(`${url}${path}`, options)
  await answer.arrayBuffer()
  if (answer.status !== status) throw new Error(`${path} was answered ${answer.status} instead of ${status}`)
}

async function check(what, url, count) {
  const failures = []
  let next = 0
  const worker = async () => {
    while (next < count) {
      const number = next++
      await send(url, number).catch((error) => failures.push(`${number}: ${error.cause ?? error}`))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  console.log(`${failures.length} of ${count} requests failed, ${what}`)
  failures.slice(0, 10).forEach((failure) => console.log(`  ${failure}`))
  return failures.length === 0
}

const passed = [
  await check('by fetch', PLAYOUT_API_URL, DIRECTLY),
  await check('by fetch, behind nginx', PLAYOUT_PROXY_URL, PROXIED),
].filter(Boolean).length
console.log(`${passed} passed, ${2 - passed} failed`)
process.exit(passed === 2 ? 0 : 1)
