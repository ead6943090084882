import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'api_key_';

/** A key as its owner sees it, once: 256 random bits. */
export function newApiKey(): string {
  return `${PREFIX}${randomBytes(32).toString('base64url')}`;
}

/**
 * What is kept of a key, in hex. A plain digest is enough, since there is nothing to guess in 256 random bits, and it
 * lets a request be matched with one index lookup.
 */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Whether a text could be one of our keys; anything else needs no database to be refused. */
export function looksLikeApiKey(text: string): boolean {
  return text.startsWith(PREFIX) && text.length === PREFIX.length + 43;
}
