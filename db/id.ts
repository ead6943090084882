import { createHash } from 'node:crypto';
import { stringify, v7 } from 'uuid';

/** A new id: prefix, underscore, UUID version 7, so that ids sort by the time they were made. */
export function newId(prefix: string): string {
  return `${prefix}_${v7()}`;
}

/**
 * Ids that come out the same again for the same seed, in the same order: those of an estimate become the real ones when its token is used.
 * They have the form of any other id, with the given instant as their time.
 */
export function seededIds(seed: string, at: number): (prefix: string) => string {
  let count = 0;
  return (prefix) => {
    const bytes = createHash('sha256').update(`${seed}:${count}:${prefix}`).digest().subarray(0, 16);
    count += 1;
    bytes.writeUIntBE(at, 0, 6);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    return `${prefix}_${stringify(bytes)}`;
  };
}
