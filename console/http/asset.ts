import type Koa from 'koa';
import { assetIn, ICON } from '../../portal/http/asset.ts';
import { writeAsset } from '../../portal/http/send-asset.ts';
import { PAGE_SCRIPT } from '../../portal/parts/script.ts';
import { STYLE } from '../../portal/parts/style.ts';
import { CONSOLE_PREFIX } from './parts.ts';
import { CONSOLE_STYLE } from './style.ts';

const FOLDER = `${CONSOLE_PREFIX}/asset`;

const style = assetIn(FOLDER, `${STYLE}${CONSOLE_STYLE}`, 'css');
const script = assetIn(FOLDER, PAGE_SCRIPT, 'js');
const icon = assetIn(FOLDER, ICON, 'svg');
const assets = new Map([style, script, icon].map((one) => [one.address, one]));

/** Addresses of what every page loads. */
export const ASSETS = { icon: icon.address, styles: [style.address], scripts: [script.address] } as const;

const NOT_FOUND = 404;

/** Sends style and script to anybody; browsers keep them for a year. */
export function sendConsoleAsset(ctx: Koa.Context): void {
  const found = assets.get(ctx.path);
  if (found === undefined) ctx.status = NOT_FOUND;
  else writeAsset(ctx, found);
}
