import { hash } from 'node:crypto';
import { MINUTE } from '../../billing/calendar/instant.ts';

/** An estimate holds for ten minutes of the contract's own clock. */
export const ESTIMATE_LASTS_MS = 10 * MINUTE;

/** One short value for plain data of any size: the same for the same data. */
export const fingerprintOf = (value: unknown): string => hash('sha256', JSON.stringify(value), 'base64url');
