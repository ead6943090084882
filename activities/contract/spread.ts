import { createHash } from 'node:crypto';
import type { Instant } from '../../billing/calendar/instant.ts';
import { MOST_SHARING } from '../../db/contract/schedule.ts';

/** Fewer contracts than this wake together without anybody noticing. */
const HERD = 50;
/** Workflows that wake in a second: each costs Temporal and the worker some 20 ms of a processor, and the API has to go on answering. */
const A_SECOND = 50;
/** The carriers have the first part of the window to themselves: whoever wakes then takes the processors from those who write its invoice. */
const CARRYING = 1 / 16;
/** An operator sees the last of a herd go on after this. */
const LONGEST = 8 * 60_000;

/**
 * When a contract's workflow wakes for what is due. A lone contract's at the very instant. Where many are due together the due watch and the first
 * to wake carry them all at the instant, and their own workflows have only to read what comes next: they wake one after the other behind it, each
 * at a place of its own that stays the same, none while the carrying should be under way.
 *
 * @param sharing contracts due at that instant, as far as they were counted
 */
export function wakeInstant(contractId: string, dueAt: Instant, sharing: number): Instant {
  if (sharing < HERD) return dueAt;
  return dueAt + Math.floor((CARRYING + (1 - CARRYING) * placeOf(contractId)) * windowOf(sharing));
}

/** Powers of two, so that a few more or fewer in the herd move nobody's timer. */
function windowOf(sharing: number): number {
  if (sharing >= MOST_SHARING) return LONGEST;
  return Math.min(LONGEST, 2 ** Math.ceil(Math.log2(sharing / A_SECOND)) * 1_000);
}

/** From 0 up to 1. */
function placeOf(contractId: string): number {
  return createHash('sha256').update(contractId).digest().readUInt32BE(0) / 2 ** 32;
}
