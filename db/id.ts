import { hash, randomFillSync, randomUUID } from 'node:crypto';
import { v7 } from 'uuid';

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

/** What the time part of every id made at an instant or later is above. */
export function firstTimePartAt(at: number): string {
  const time = at.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}

/** Hexadecimal digits of an id that a seed gives, and how many such ids one hash has. */
const [DIGITS, IDS] = [16, 8];
/** Ids that are counted on with the three digits behind their time. */
const COUNTED = 0x1000;

/**
 * Ids that come out the same again for the same seed, in the same order: those of an estimate become the real ones when
 * its token is used. They have the form of any other id, with the given instant as their time, and the first 4,096 sort
 * in the order in which they were made.
 */
export function seededIds(seed: string, at: number): (prefix: string) => string {
  const begin = `${firstTimePartAt(at)}-7`;
  let count = 0;
  let digits = '';
  return (prefix) => {
    const place = count % IDS;
    if (place === 0) digits = hash('sha512', `${seed}:${count}`);
    const number = (count % COUNTED).toString(16).padStart(3, '0');
    count += 1;
    const own = digits.slice(place * DIGITS, (place + 1) * DIGITS);
    const variant = '89ab'[Number.parseInt(own.slice(0, 1), 16) % 4];
    return `${prefix}_${begin}${number}-${variant}${own.slice(1, 4)}-${own.slice(4)}`;
  };
}

/** A seed nobody can guess: a token carries it. */
export const newSeed = (): string => randomUUID();
