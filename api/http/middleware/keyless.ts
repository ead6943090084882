import { CONSOLE_PREFIX } from '../../../console/http/parts.ts';
import { PORTAL_PREFIX } from '../../../portal/http/parts.ts';
import { WEBHOOK_PREFIX } from '../../payment/webhook.ts';
import { type Authenticator, sessionFrom } from '../authenticate.ts';
import type { Context, Middleware } from '../context.ts';
import { single } from '../header.ts';
import type { KeylessLimit } from '../keyless-limit.ts';
import { Problem } from '../problem.ts';

/** Balancers and monitors ask these as often as they like. */
const UNLIMITED: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
/** These limit requests without credentials themselves. */
const COUNTED_APART = [PORTAL_PREFIX, CONSOLE_PREFIX, WEBHOOK_PREFIX];

/**
 * Limits requests without credentials, by address. Whether credentials are valid is checked where they are looked up.
 */
export const limitKeyless =
  (limit: KeylessLimit): Middleware =>
  (ctx, next) => {
    if (!bringsCredentials(ctx) && !isSpared(ctx.path)) limit.take(ctx.req);
    return next();
  };

const isSpared = (path: string): boolean =>
  UNLIMITED.has(path) || COUNTED_APART.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));

const bringsCredentials = ({ req: { headers } }: Pick<Context, 'req'>): boolean =>
  headers['wb-key'] !== undefined || sessionFrom(headers.cookie) !== undefined;

/** A key that isn't live counts as none: `unauthorized` becomes `rate_limited` for one request too many. */
export function limitUnknownKey(problem: Problem, ctx: Pick<Context, 'req'>, limit: KeylessLimit): Problem {
  if (problem.code !== 'unauthorized' || !bringsCredentials(ctx)) return problem;
  try {
    limit.take(ctx.req);
    return problem;
  } catch (error) {
    return error instanceof Problem ? error : problem;
  }
}

/**
 * On routes that need no key: a live key, or a session of one, lifts the limit for its caller; any other key doesn't.
 */
export const limitUnlessKeyIsLive =
  (authenticator: Authenticator, limit: KeylessLimit): Middleware =>
  async (ctx, next) => {
    if (bringsCredentials(ctx) && !isSpared(ctx.path) && !(await isLive(ctx, authenticator))) limit.take(ctx.req);
    await next();
  };

async function isLive({ req: { headers }, host }: Pick<Context, 'req' | 'host'>, authenticator: Authenticator): Promise<boolean> {
  const [key, cookie] = [single(headers['wb-key']), sessionFrom(headers.cookie)];
  try {
    await authenticator.authenticate({ key, cookie, origin: undefined, host: () => host, writes: false, remembered: true });
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === 'unauthorized') return false;
    throw error;
  }
}
