import type Koa from 'koa';
import type { ConsoleParts } from './parts.ts';
import { sendPlain } from './send.ts';

/** Counts a request without a live session by its address; true = too many, and the response says so. */
export function isOverLimit(ctx: Koa.Context, { countAnonymous }: ConsoleParts): boolean {
  const { left, reset } = countAnonymous(ctx.req);
  if (left >= 0) return false;
  ctx.set('retry-after', String(reset));
  sendPlain(ctx, 429, 'requests');
  return true;
}
