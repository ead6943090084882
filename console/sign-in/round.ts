import { createHmac, randomBytes } from 'node:crypto';
import { ownPage } from '../pages/own-page.ts';

/**
 * A sign-in under way at the provider. Its secret stands in a cookie of the browser that began it and nowhere else, so
 * that no other browser can end the round.
 */
export interface Round {
  readonly secret: string;
  /** the page that was asked for */
  readonly to: string;
  /** the vendor that was chosen, where a person's groups open several; '' = not chosen yet */
  readonly vendorId: string;
  readonly begun: number;
}

const SECRET_BYTES = 32;
const LONGEST_MS = 10 * 60_000;
const COOKIE = /^([\w-]{43})\.(\d{13})\.(\w*(?:-\w+)*)\.([\w-]*)$/;

export const newRound = (to: string, vendorId: string): Round => ({
  secret: randomBytes(SECRET_BYTES).toString('base64url'),
  to,
  vendorId,
  begun: Date.now(),
});

export const roundToCookie = ({ secret, begun, vendorId, to }: Round): string =>
  [secret, begun, vendorId, Buffer.from(to).toString('base64url')].join('.');

/** Null for no cookie of ours, and for a round that began more than ten minutes ago. */
export function roundInCookie(cookie: string | null): Round | null {
  const found = COOKIE.exec(cookie ?? '');
  if (found === null) return null;
  const [, secret = '', begun = '', vendorId = '', to = ''] = found;
  const age = Date.now() - Number(begun);
  if (age < 0 || age > LONGEST_MS) return null;
  return { secret, begun: Number(begun), vendorId, to: ownPage(Buffer.from(to, 'base64url').toString('utf8')) };
}

/** The values that bind the provider's answer to the browser: each for one use, none tells another. */
export const proofsOf = ({ secret }: Round) => {
  const of = (use: string): string => createHmac('sha256', secret).update(use).digest('base64url');
  return { state: of('state'), nonce: of('nonce'), verifier: of('verifier') };
};
