import { randomUUID } from 'node:crypto';
import Koa from 'koa';
import { KnownContracts } from '../../db/contract/known.ts';
import { EntitlementReads } from '../../db/entitlement/access.ts';
import type { StoredResponse } from '../../db/sql/idempotency/request.ts';
import type { KeyRecord } from '../../db/vendor-account/api-key.ts';
import { ChangeEstimates } from '../../services/contract/estimate-change.ts';
import { ContractReads } from '../../services/contract/read.ts';
import { UsageIntake } from '../../services/usage/intake.ts';
import { routes } from '../routes.ts';
import { Authenticator, sessionFrom } from './authenticate.ts';
import { BigBodies } from './big-bodies.ts';
import { CallerGone, isLeftUnread } from './body.ts';
import { Cursors } from './cursor.ts';
import type { Dependencies, Parts } from './dependencies.ts';
import { Dispatch } from './dispatch.ts';
import { docsPage } from './docs-page.ts';
import { problemOf } from './failure.ts';
import { handle } from './handle.ts';
import { healthz, readyz } from './health.ts';
import { HOME_PAGE } from './home-page.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { openapi } from './openapi.ts';
import { Problem } from './problem.ts';
import { RequestQueues } from './queue.ts';
import { RateLimit } from './rate-limit.ts';
import { problemResponse } from './response.ts';
import { traceRequests } from './tracing.ts';

export interface Api {
  readonly app: Koa;
  readonly metrics: Metrics;
}

const dispatch = new Dispatch(routes);
const SERVED = new Set(['GET', 'HEAD']);
const PAGES = new Set(['/', '/healthz', '/readyz', '/openapi.json', '/docs']);

/** The HTTP application: our routes, the pages made from them, and whatever is mounted beside. */
export function createApi(parts: Parts): Api {
  const metrics = createMetrics(parts.db);
  const known = new KnownContracts();
  const deps: Dependencies = {
    ...parts,
    authenticator: new Authenticator(parts.db, parts.settings.secret, parts.settings.baseUrl),
    cursors: new Cursors(parts.settings.secret),
    queues: new RequestQueues(),
    bigBodies: new BigBodies(),
    usage: new UsageIntake(parts.db),
    contractReads: new ContractReads(parts.db, known),
    estimates: new ChangeEstimates(parts.db.preparing),
    entitlements: new EntitlementReads(parts.db, known),
  };
  const perMinute = parts.settings.rateLimitPerMinute;
  const limit = perMinute === null ? null : new RateLimit(perMinute);
  const ready = readyz(deps);
  const app = new Koa();
  const protect = protection(parts.settings.baseUrl);
  if (parts.tracing) app.use(traceRequests(parts.tracing, (path) => PAGES.has(path)));
  app.use(async (context, next) => {
    const [requestId, started] = [randomUUID(), performance.now()];
    context.set('request-id', requestId);
    context.set(protect);
    let operation = 'unknown';
    try {
      const mount = deps.mounts?.find(({ prefix }) => context.path === prefix || context.path.startsWith(`${prefix}/`));
      if (mount !== undefined) {
        operation = `mounted ${mount.prefix}`;
        await mount.handle(context, next);
        return;
      }
      if (!isSpared(context.path) && !bringsCredentials(context)) deps.brake.take(context.req);
      const found = SERVED.has(context.method) ? await serve(context, deps, ready) : false;
      if (found) {
        operation = context.path;
        return;
      }
      const match = find(context.method, context.path);
      operation = match.route.operationId;
      send(context, await handle(match, { context, requestId }, deps, limit));
    } catch (error) {
      if (error instanceof CallerGone) context.status = GONE;
      else send(context, problemResponse(braked(expected(error, requestId, deps), context, deps), context.path, requestId));
    } finally {
      if (context.state.key === undefined && isLeftUnread(context.req)) context.set('connection', 'close');
      finish(context, { operation, requestId, started }, metrics, deps);
    }
  });
  return { app, metrics };
}

/** Nobody is left to see it: for the log and the metrics, so that a caller's own abort doesn't look like a failure of ours. */
const GONE = 499;

/** Balancers and monitors ask these as often as they like. */
const isSpared = (path: string): boolean => path === '/healthz' || path === '/readyz';

/** What it is worth is seen where it is looked up. */
const bringsCredentials = ({ req: { headers } }: Koa.Context): boolean =>
  headers['wb-key'] !== undefined || sessionFrom(headers.cookie) !== undefined;

/** A key that isn't live is as good as none. */
function braked(problem: Problem, context: Koa.Context, { brake }: Dependencies): Problem {
  if (problem.code !== 'unauthorized' || !bringsCredentials(context)) return problem;
  try {
    brake.take(context.req);
    return problem;
  } catch (error) {
    return error instanceof Problem ? error : problem;
  }
}

const A_YEAR = 31_536_000;

/** Answers are for their caller alone, and are what they say they are. */
const protection = (baseUrl: string): Record<string, string> => ({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${A_YEAR}` } : {}),
});

function find(method: string, path: string) {
  const found = PAGES.has(path) ? { allow: [...SERVED] } : dispatch.find(method, path);
  if (found === null) throw new Problem('not_found');
  if ('allow' in found) {
    const detail = `Use ${found.allow.join(' or ')} here, not ${method}.`;
    throw new Problem('method_not_allowed', detail, { headers: { allow: found.allow.join(', ') } });
  }
  return found;
}

/** The pages that need no key. */
async function serve(context: Koa.Context, deps: Dependencies, ready: ReturnType<typeof readyz>): Promise<boolean> {
  switch (context.path) {
    case '/healthz':
      healthz(context);
      return true;
    case '/readyz':
      await ready(context);
      return true;
    case '/openapi.json':
      context.type = 'application/json';
      context.body = openapi(deps.settings.baseUrl).text;
      return true;
    case '/docs':
      showPage(context, docs(deps.settings.baseUrl));
      return true;
    case '/':
      showPage(context, HOME_PAGE);
      return true;
    default:
      return false;
  }
}

let made: { baseUrl: string; page: string } | undefined;

/** Made once: anybody may ask for it. */
function docs(baseUrl: string): string {
  if (made?.baseUrl !== baseUrl) made = { baseUrl, page: docsPage(openapi(baseUrl).document) };
  return made.page;
}

function showPage(context: Koa.Context, page: string): void {
  context.type = 'text/html; charset=utf-8';
  context.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'");
  context.body = page;
}

/** What nobody expected is logged once, with everything, and answered without detail. */
function expected(error: unknown, requestId: string, deps: Dependencies): Problem {
  const problem = problemOf(error);
  if (problem === null) deps.log.error({ err: error, request_id: requestId }, 'unexpected failure');
  else if (problem.status >= 500) deps.log.warn({ err: problem.cause ?? problem, request_id: requestId }, 'not available');
  return problem ?? new Problem('internal_error', 'Something went wrong on our side; the request_id helps us to find it.');
}

function send(context: Koa.Context, answer: StoredResponse): void {
  context.status = answer.status;
  // the worker stores answers without headers
  if (answer.body && answer.headers['content-type'] === undefined) context.type = 'application/json';
  for (const [name, value] of Object.entries(answer.headers)) context.set(name, value);
  context.body = answer.bytes ?? answer.body ?? '';
  // an empty body has no type, and Koa would have called it text
  if (!answer.body && answer.bytes === undefined) context.remove('content-type');
}

interface Done {
  readonly operation: string;
  readonly requestId: string;
  readonly started: number;
}

function finish(context: Koa.Context, { operation, requestId, started }: Done, metrics: Metrics, deps: Dependencies): void {
  const milliseconds = performance.now() - started;
  context.state.operation = operation;
  metrics.observe(operation, context.status, milliseconds);
  const key = context.state.key as KeyRecord | undefined;
  deps.log.info(
    { request_id: requestId, operation, status: context.status, ms: Math.round(milliseconds), vendor: key?.vendorId, key: key?.id },
    'request',
  );
}
