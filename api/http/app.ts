import Router from '@koa/router';
import Koa from 'koa';
import { nouns } from '../routes.ts';
import type { Middleware, RequestState } from './context.ts';
import { type ApiDependencies, dependenciesOf, type Parts } from './dependencies.ts';
import { authenticate, recheckKey, requireScope } from './middleware/auth.ts';
import { readBytes } from './middleware/body.ts';
import { answerErrors } from './middleware/errors.ts';
import { handle } from './middleware/handler.ts';
import { idempotency } from './middleware/idempotency.ts';
import { limitKeyless, limitUnlessKeyIsLive } from './middleware/keyless.ts';
import { limitKey } from './middleware/limit.ts';
import { logRequest } from './middleware/log.ts';
import { notFound } from './middleware/not-found.ts';
import { requestId } from './middleware/request-id.ts';
import { makeTogether } from './middleware/together.ts';
import { traceRequest } from './middleware/tracing.ts';
import { validate } from './middleware/validate.ts';
import { createPages } from './pages.ts';
import { EXACT, QuickRouter } from './quick-router.ts';
import type { Route } from './route.ts';

/** The HTTP application: what every request passes, in this order. */
export function createApi(parts: Parts): { readonly app: Koa<RequestState> } {
  const deps = dependenciesOf(parts);
  const app = new Koa<RequestState>();
  if (deps.tracing) app.use(traceRequest(deps.tracing));
  app.use(requestId(deps.settings.baseUrl));
  app.use(logRequest(deps.log, deps.observe));
  app.use(answerErrors(deps));
  app.use(limitKeyless(deps.keylessLimit));
  app.use(createRouter(deps).routes());
  app.use(limitUnlessKeyIsLive(deps.authenticator, deps.keylessLimit));
  app.use(notFound);
  return { app };
}

/** What a request of one endpoint passes, in this order; null where there is nothing to do for it. */
const endpoint = (route: Route, deps: ApiDependencies): (Middleware | null)[] => [
  authenticate(route, deps),
  recheckKey(route, deps),
  limitKey(deps.keyLimit),
  requireScope(route),
  readBytes(route),
  validate(route, deps),
  makeTogether(route, deps),
  idempotency(route, deps),
  handle(route, deps),
];

/** One router for all there is: the pages, a router for each noun, the portal and the webhooks. */
function createRouter(deps: ApiDependencies): Router<RequestState> {
  const router = new QuickRouter();
  router.use(createPages(deps).routes());
  for (const routes of nouns) router.use(createNoun(routes, deps).routes());
  for (const part of deps.routers?.(deps) ?? []) router.use(part.routes());
  return router;
}

function createNoun(routes: readonly Route[], deps: ApiDependencies): Router<RequestState> {
  const router = new Router<RequestState>(EXACT);
  for (const route of routes) {
    const middleware = endpoint(route, deps).filter((step) => step !== null);
    router[route.method](route.operationId, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), ...middleware);
  }
  return router;
}
