import { randomUUID } from 'node:crypto';
import type { Middleware } from '../context.ts';

const A_YEAR = 31_536_000;
const EMPTY = Buffer.alloc(0);
const NO_INPUT = { params: {}, query: {}, body: undefined };

/**
 * Names the request, and sets the headers that every response has: it is for its caller alone, and of the type that it
 * says.
 */
export function requestId(baseUrl: string): Middleware {
  const everywhere = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${A_YEAR}` } : {}),
  };
  return (ctx, next) => {
    const id = randomUUID();
    ctx.state = { requestId: id, key: null, bytes: EMPTY, idempotency: null, input: NO_INPUT, lease: null };
    ctx.set('request-id', id);
    ctx.set(everywhere);
    return next();
  };
}
