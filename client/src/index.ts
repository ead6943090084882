export type { CallOptions, WriteOptions } from './calls.ts';
export { type ErrorCode, PerennialError } from './errors.ts';
export type { WebhookEvent } from './events.ts';
export type * from './generated/schemas.ts';
export { List } from './list.ts';
export { Perennial, type PerennialOptions } from './perennial.ts';
export type { AdvanceOptions } from './test-clock.ts';
export { type VerifyOptions, verifyWebhook, type WebhookHeaders } from './webhook.ts';
