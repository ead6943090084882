import { createHmac, timingSafeEqual } from 'node:crypto';

const keyed = (session: string, use: string, text: string): string =>
  createHmac('sha256', session).update(`${use}\n${text}`).digest('base64url');

/** The value that a session's forms bring along: nobody without the session's secret can compute it. */
export const csrfOf = (session: string): string => keyed(session, 'csrf', '');

/** Seals a text, so that only what the server wrote for this session is believed. */
export const sealOf = (session: string, text: string): string => keyed(session, 'note', text);

/** Compares two secrets in a time that doesn't depend on where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Whether a request that changes something can come from a page of ours: neither `Sec-Fetch-Site` nor `Origin` may name
 * another one. Programs send neither, and old browsers `Origin` alone.
 */
export function isFromOurPage(ctx: { get(header: string): string }, baseUrl: string): boolean {
  const [site, origin] = [ctx.get('sec-fetch-site'), ctx.get('origin')];
  if (site !== '' && site !== 'same-origin') return false;
  return origin === '' || isOurOrigin(origin, ctx.get('host'), baseUrl);
}

/** Behind a proxy that ends TLS or renames the host, the base URL is what the browser sees. */
function isOurOrigin(origin: string, host: string, baseUrl: string): boolean {
  const base = new URL(baseUrl);
  return origin === base.origin || origin === `${base.protocol}//${host}`;
}
