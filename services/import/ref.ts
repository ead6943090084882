import { hash } from 'node:crypto';
import type { ImportLineType } from '../../db/entities/import.ts';

/**
 * Names what a line makes. A ref of another system may be personal, and is needed as long as lines may be repeated: so
 * it is not stored, only what it hashes to.
 */
export const refKeyOf = (vendorId: string, type: ImportLineType, ref: string): string =>
  hash('sha256', JSON.stringify([vendorId, type, ref]), 'base64url');

/** Tells a repeat of a line from one that says something else, whatever the order of its fields. */
export const fingerprintOfLine = (vendorId: string, line: unknown): string =>
  hash('sha256', JSON.stringify([vendorId, inOrder(line)]), 'base64url');

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => [key, inOrder(one)]);
}
