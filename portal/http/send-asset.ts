import type Koa from 'koa';
import { assetAt } from './asset.ts';
import { sendPlain } from './send.ts';

/** The name of an asset changes with what it contains. */
const FOREVER = 'public, max-age=31536000, immutable';

/** Sends style and script of the pages to anybody; browsers keep them for a year. */
export function sendAsset(ctx: Koa.Context): void {
  const found = assetAt(ctx.path);
  if (found === null) sendPlain(ctx, 404, 'not_found');
  else {
    ctx.set('cache-control', FOREVER);
    ctx.type = `${found.type}; charset=utf-8`;
    ctx.body = found.text;
  }
}
