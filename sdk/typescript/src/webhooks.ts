/** Verifies deliveries of webhooks, signed as Standard Webhooks (https://www.standardwebhooks.com). */

import type { WebhookEvent } from './operations.js'

/** A delivery that is not genuine, or too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

/** The headers of a request, as servers have them. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

export interface VerifyOptions {
  /** How many seconds the delivery's time may be off; 300 by default. */
  toleranceSeconds?: number
  /** Seconds since 1970, instead of the clock. */
  now?: number
}

/**
 * Returns the event of a delivery, or rejects with `WebhookVerificationError` if it is not genuine.
 *
 * `body` is the body as received, byte for byte, not JSON that was parsed and written again. `secret` is that of the webhook, or
 * several. An event may have a `type` that is newer than these types.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() / 1000 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const [id, sent, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headerOf(headers, name)
    if (!value) throw new WebhookVerificationError(`the delivery has no ${name}`)
    return value
  }) as [string, string, string]
  if (!/^\d{1,15}$/.test(sent)) throw new WebhookVerificationError('webhook-timestamp is no number of seconds')
  if (Math.abs(now - Number(sent)) > toleranceSeconds) {
    throw new WebhookVerificationError('webhook-timestamp is too far from the clock: an old delivery, or a wrong clock')
  }
  const payload = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
  const head = new TextEncoder().encode(`${id}.${sent}.`)
  const message = new Uint8Array(head.length + payload.length)
  message.set(head)
  message.set(payload, head.length)
  const entries = signatures.split(' ').flatMap((entry) => (entry.startsWith('v1,') ? (bytesOf(entry.slice(3)) ?? []) : []))
  let fits = false
  // Compares all, each in constant time, so that the time does not depend on which of them fits.
  for (const key of await Promise.all([secret].flat().map(keyOf))) {
    for (const entry of entries) fits = (await crypto.subtle.verify('HMAC', key, entry, message)) || fits
  }
  if (!fits) throw new WebhookVerificationError('no signature fits')
  return eventOf(new TextDecoder().decode(payload))
}

function eventOf(text: string): WebhookEvent {
  try {
    const event = JSON.parse(text) as WebhookEvent
    if (typeof event.type === 'string') return event
  } catch {
    // The same as any other body.
  }
  throw new WebhookVerificationError('the body is signed, and is no event')
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return Array.isArray(found) ? found.join(' ') : found
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''))
  if (!bytes?.length) throw new TypeError('the secret of a webhook is whsec_ and base64')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}
