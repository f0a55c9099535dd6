// The device flow by openid-client, a certified OAuth client that knows nothing of this service but its address: discovery
// (RFC 8414), both codes, polling that is told to slow down (RFC 8628), the key as a Bearer token, revocation (RFC 7009).
//
// PLAYOUT_API_URL names a running service that takes new users. The last line printed is `N passed, N failed`.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import * as client from 'openid-client'

const url = process.env.PLAYOUT_API_URL
assert(url, 'set PLAYOUT_API_URL')

async function post(path, headers, body) {
  const options = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) }
  const answer = await fetch(`${url}${path}`, options)
  return { status: answer.status, body: await answer.json() }
}

/** Somebody with a session; answers what they send with each request. */
async function person() {
  const credentials = { email: `${randomUUID()}@example.org`, password: randomUUID() }
  const { status, body } = await post('/app/v1/auth/sign-up', {}, credentials)
  assert.equal(status, 201, JSON.stringify(body))
  return { Authorization: `Bearer ${body.token}`, 'x-organization-id': body.organizations[0].id }
}

/** What is discovered of the service; http is allowed because it runs on this machine. */
function discovered() {
  const options = { algorithm: 'oauth2', execute: [client.allowInsecureRequests] }
  return client.discovery(new URL(url), 'conformance-js', undefined, client.None(), options)
}

const tests = {
  async 'openid-client finds everything, waits, slows down, gets a key, uses it and ends it'() {
    const config = await discovered()
    const codes = await client.initiateDeviceAuthorization(config, { scope: 'drafts media' })
    assert.match(codes.user_code, /^SVC-[B-Z2-9]{4}-[B-Z2-9]{4}$/)
    const asked = Date.now()
    const polling = client.pollDeviceAuthorizationGrant(config, codes)
    // A question between makes the client's first one come too early; it then has to wait ten seconds instead of five.
    await setTimeout(1000)
    const between = await post('/auth/device/token', {}, { device_code: codes.device_code })
    assert.deepEqual([between.status, between.body.error], [400, 'authorization_pending'])
    await setTimeout(5000)
    const approved = await post('/auth/device/approve', await person(), { userCode: codes.user_code })
    assert.equal(approved.body.status, 'approved', JSON.stringify(approved.body))
    const tokens = await polling
    assert(Date.now() - asked >= 15_000, 'it was told to slow down')
    assert.equal(tokens.token_type, 'bearer')
    assert.match(tokens.access_token, /^svc_sk_/)
    const platforms = () => client.fetchProtectedResource(config, tokens.access_token, new URL(`${url}/public/v1/platforms`), 'GET')
    const answer = await platforms()
    assert.deepEqual([answer.status, await answer.json()], [200, { platforms: [] }])
    await client.tokenRevocation(config, tokens.access_token)
    await assert.rejects(platforms(), (error) => error.status === 401)
  },

  async 'openid-client is told that a person refused'() {
    const config = await discovered()
    const codes = await client.initiateDeviceAuthorization(config, {})
    const denied = await post('/auth/device/deny', await person(), { userCode: codes.user_code })
    assert.equal(denied.body.status, 'denied')
    await assert.rejects(client.pollDeviceAuthorizationGrant(config, codes), { error: 'access_denied' })
  },

  async 'openid-client is told that a code was used'() {
    const config = await discovered()
    const codes = await client.initiateDeviceAuthorization(config, {})
    await post('/auth/device/approve', await person(), { userCode: codes.user_code })
    await client.pollDeviceAuthorizationGrant(config, codes)
    await assert.rejects(client.pollDeviceAuthorizationGrant(config, codes), { error: 'expired_token' })
  },
}

const outcomes = await Promise.allSettled(Object.values(tests).map((test) => test()))
for (const [index, name] of Object.keys(tests).entries()) {
  const { status, reason } = outcomes[index]
  console.log(status === 'fulfilled' ? `ok ${name}` : `FAILED ${name}\n${reason?.stack ?? reason}`)
}
const failed = outcomes.filter(({ status }) => status === 'rejected').length
console.log(`${outcomes.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
