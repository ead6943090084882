import type Koa from 'koa';
import { type Asset, assetAt } from './asset.ts';
import { sendPlain } from './send.ts';

/** The name of an asset changes with what it contains. */
const FOREVER = 'public, max-age=31536000, immutable';

/** Sends style and script of the pages to anybody; browsers keep them for a year. */
export function sendAsset(ctx: Koa.Context): void {
  const found = assetAt(ctx.path);
  if (found === null) sendPlain(ctx, 404, 'not_found');
  else writeAsset(ctx, found);
}

export function writeAsset(ctx: Koa.Context, { type, text }: Pick<Asset, 'type' | 'text'>): void {
  ctx.set('cache-control', FOREVER);
  ctx.type = `${type}; charset=utf-8`;
  ctx.body = text;
}
