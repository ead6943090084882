import Router from '@koa/router';
import type { Context, Middleware, RequestState } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import { docsPage } from './docs-page.ts';
import { healthz, readyz } from './health.ts';
import { HOME_PAGE } from './home-page.ts';
import { limitUnlessKeyIsLive } from './middleware/keyless.ts';
import { openapi } from './openapi.ts';
import { EXACT } from './quick-router.ts';

/** Pages that need no key. */
export const PAGES: ReadonlySet<string> = new Set(['/', '/healthz', '/readyz', '/openapi.json', '/docs']);

export function createPages(deps: ApiDependencies): Router<RequestState> {
  const { baseUrl } = deps.settings;
  const limited = limitUnlessKeyIsLive(deps.authenticator, deps.keylessLimit);
  const page =
    (body: () => string): Middleware =>
    (ctx) =>
      showPage(ctx, body());
  return new Router<RequestState>(EXACT)
    .get('/healthz', '/healthz', healthz)
    .get('/readyz', '/readyz', readyz(deps))
    .get('/openapi.json', '/openapi.json', limited, (ctx) => showDocument(ctx, openapi(baseUrl).text))
    .get(
      '/docs',
      '/docs',
      limited,
      page(() => docsPage(openapi(baseUrl).document)),
    )
    .get(
      '/',
      '/',
      limited,
      page(() => HOME_PAGE),
    );
}

function showDocument(ctx: Context, text: string): void {
  ctx.type = 'application/json';
  ctx.body = text;
}

function showPage(ctx: Context, page: string): void {
  ctx.type = 'text/html; charset=utf-8';
  ctx.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'");
  ctx.body = page;
}
