import { hash, randomFillSync, randomUUID } from 'node:crypto';
import { stringify, v7 } from 'uuid';

const BYTES = 16;
/** Random bytes are drawn for many ids at a time: a few bytes cost as much as thousands. */
const randomness = Buffer.alloc(256 * BYTES);
let drawn = randomness.length;
let last = { msecs: 0, seq: 0 };

/**
 * A new id: prefix, underscore, UUID version 7, so that ids sort by the time they were made; those of one millisecond
 * are counted on.
 */
export function newId(prefix: string): string {
  if (drawn === randomness.length) {
    randomFillSync(randomness);
    drawn = 0;
  }
  const random = randomness.subarray(drawn, drawn + BYTES);
  drawn += BYTES;
  last = following(last, Date.now(), random);
  return `${prefix}_${v7({ ...last, random })}`;
}

const SEQ_START_BITS = 0x7fffffff;
const SEQ_END = 0xffffffff;

function following({ msecs, seq }: typeof last, now: number, random: Buffer): typeof last {
  if (now > msecs) return { msecs: now, seq: random.readUInt32BE(6) & SEQ_START_BITS };
  return seq < SEQ_END ? { msecs, seq: seq + 1 } : { msecs: msecs + 1, seq: 0 };
}

/** The part of an id after its prefix: ids of all kinds sort by it in the order in which they were made. */
export const timePart = (id: string): string => id.slice(id.indexOf('_') + 1);

/**
 * Ids that come out the same again for the same seed, in the same order: those of an estimate become the real ones when
 * its token is used. They have the form of any other id, with the given instant as their time.
 */
export function seededIds(seed: string, at: number): (prefix: string) => string {
  let count = 0;
  return (prefix) => {
    const bytes = hash('sha256', `${seed}:${count}:${prefix}`, 'buffer').subarray(0, BYTES);
    count += 1;
    bytes.writeUIntBE(at, 0, 6);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    return `${prefix}_${stringify(bytes)}`;
  };
}

/** A seed nobody can guess: a token carries it. */
export const newSeed = (): string => randomUUID();
