/** A client of Playout: publish short videos and slideshows, now or on schedule, exactly once. */

export { Playout } from './client.js'
export type { PlayoutOptions } from './client.js'
export { PlayoutError } from './errors.js'
export type { ErrorDetail } from './errors.js'
export type * from './operations.js'
export type { Detailed, RequestOptions, WithResponse } from './requests.js'
export type { Retries } from './retries.js'
export type { components, operations, paths } from './schema.js'
export type { UploadOptions } from './uploads.js'
export { verifyWebhook, WebhookVerificationError } from './webhooks.js'
export type { VerifyOptions, WebhookHeaders } from './webhooks.js'
