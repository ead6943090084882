import { unsized } from '../unsized.ts';

/** SQL: a key of `api_key` is live at this very moment. */
export const LIVE = `revoked_at is null and (expires_at is null or expires_at > now())`;

/**
 * SQL: a condition for the statements that are run most, and name their caller's key: that it is live at this very
 * moment. The key then needs no statement of its own: a caller with a key that has ended finds and writes nothing.
 *
 * @param keys the placeholder of all the keys of the statement, each once (`distinctKeys`): they are looked up before
 *   anything else, together
 */
export const liveKey = (keyId: string, keys: string): string =>
  `${keyId} = any (array(select id from api_key where id = any(${unsized(keys, 'text[]')}) and ${LIVE}))`;

export const distinctKeys = (asks: readonly { keyId: string }[]): string[] => [...new Set(asks.map(({ keyId }) => keyId))];
