import { createHash } from 'node:crypto';
import { PAGE_SCRIPT } from '../parts/script.ts';
import { STYLE } from '../parts/style.ts';
import { isColor, themeStyle } from '../parts/theme.ts';
import { PORTAL_PREFIX } from './parts.ts';

const FOLDER = `${PORTAL_PREFIX}/asset`;
const HASH_LENGTH = 16;

/** A file that pages load, at an address that names what is in it. */
export interface Asset {
  readonly address: string;
  readonly type: string;
  readonly text: string;
}

const TYPES = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' } as const;
/** A sheet of paper, for the browser's tab. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#7b8594" d="M3 1h7l3 3v11H3z"/><path stroke="#fff" d="M5.5 7.5h5m-5 3h5"/></svg>
`;

/** @param folder the path below which the site's files are */
export function assetIn(folder: string, text: string, ending: keyof typeof TYPES): Asset {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);
  return { address: `${folder}/${hash}.${ending}`, type: TYPES[ending], text };
}

const style = assetIn(FOLDER, STYLE, 'css');
const script = assetIn(FOLDER, PAGE_SCRIPT, 'js');
const icon = assetIn(FOLDER, ICON, 'svg');
const assets = new Map([style, script, icon].map((one) => [one.address, one]));

export const STYLE_ADDRESS = style.address;
export const SCRIPT_ADDRESS = script.address;
export const ICON_ADDRESS = icon.address;

/** Its name has the hash of the pages' style too, since the contrast depends on the grounds there. */
const themePrefix = `${FOLDER}/${style.address.slice(FOLDER.length + 1, -'.css'.length)}-`;

/** The style sheet with a vendor's colour, `#rrggbb`. */
export const themeAddress = (color: string): string => `${themePrefix}${color.slice(1).toLowerCase()}.css`;

function themeAt(path: string): Asset | null {
  const color = path.startsWith(themePrefix) && path.endsWith('.css') ? `#${path.slice(themePrefix.length, -'.css'.length)}` : '';
  return isColor(color) && color === color.toLowerCase() ? { address: path, type: TYPES.css, text: themeStyle(color) } : null;
}

/** The style sheet or script at a path; null when there is none. */
export const assetAt = (path: string): Asset | null => assets.get(path) ?? themeAt(path);
