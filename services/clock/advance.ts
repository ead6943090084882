import { type Instant, iso } from '../../billing/calendar/instant.ts';
import { boundary } from '../../billing/calendar/rhythm.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { ClockState } from '../../db/clock/read.ts';
import type { Tx } from '../../db/connect.ts';
import { TestClock, type TestClockRecord } from '../../db/entities/vendor.ts';
import { lookAhead } from '../../db/sql/clock/look-ahead.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { clockAdvancing } from '../customer/lock.ts';

const MOST_YEARS = 30;

/**
 * Starts the advance of a clock; the clock's workflow carries it out.
 *
 * @throws Refusal `test_clock_not_found`, `clock_advancing`, `invalid_request` for going back
 */
export async function sendClock(tx: Tx, vendorId: string, clockId: string, target: Instant): Promise<void> {
  const clock = await lockOwnClock(tx, vendorId, clockId);
  if (clock.status === 'advancing') throw clockAdvancing(clockId);
  if (target > latestTarget(clock.now))
    throw new Refusal('invalid_request', `A clock moves at most ${MOST_YEARS} years in one advance.`, {
      now: `must be at most ${MOST_YEARS} years after ${iso(clock.now)}`,
    });
  if (target < clock.now)
    throw new Refusal('invalid_request', 'A clock never runs back.', { now: 'must not be before the time of the clock' });
  if (target === clock.now && clock.status === 'ready') return;
  tx.em.assign(clock, { status: 'advancing', target, movedAt: await nowOf(tx, null), reason: null });
  await tx.em.flush();
  enqueue(tx, 'clock', clockId);
}

/** Thirty years on, by the calendar. */
function latestTarget(now: Instant): Instant {
  return boundary({ start: now, cycle: 'year', offset: null, pauses: [] }, MOST_YEARS) ?? now;
}

/**
 * Ends an advance after the instant the clock is at: its workflow finishes what is due there. A clock that isn't
 * advancing stays as it is.
 *
 * @throws Refusal `test_clock_not_found`
 */
export async function stopAdvance(tx: Tx, vendorId: string, clockId: string): Promise<void> {
  const clock = await lockOwnClock(tx, vendorId, clockId);
  if (clock.status !== 'advancing') return;
  clock.target = clock.now;
  await tx.em.flush();
  enqueue(tx, 'clock', clockId);
}

const lockClock = ({ em }: Tx, id: string): Promise<TestClockRecord | null> => em.findOne(TestClock, { id }, FOR_UPDATE);

async function lockOwnClock(tx: Tx, vendorId: string, clockId: string): Promise<TestClockRecord> {
  const clock = await lockClock(tx, clockId);
  if (clock === null || clock.vendorId !== vendorId) throw new Refusal('test_clock_not_found', `There is no test clock ${clockId}.`);
  return clock;
}

export interface MovedClock {
  clock: ClockState;
  /** where it was before */
  since: Instant;
  isDue: boolean;
  /**
   * a payment of this instant is being made: the clock waits until its outcome, and what follows from it, is written
   */
  isWaiting: boolean;
}

/**
 * Moves a clock to the next due instant, or to the target when nothing is due before it; null when the clock isn't
 * moving.
 */
export async function moveClock(tx: Tx, clockId: string): Promise<MovedClock | null> {
  const clock = await lockClock(tx, clockId);
  if (clock === null || clock.status !== 'advancing' || clock.target === null) return null;
  const ahead = await lookAhead(tx, clockId, clock.now, clock.target);
  const since = clock.now;
  const wanted = Math.max(clock.now, ahead.next ?? clock.target);
  const isWaiting = ahead.isPaymentUnderWay && wanted > clock.now;
  const now = isWaiting ? clock.now : wanted;
  if (now !== clock.now) tx.em.assign(clock, { now, movedAt: ahead.wall });
  await tx.em.flush();
  return { clock, since, isDue: ahead.next !== null && ahead.next <= now, isWaiting };
}

/** The clock can't go on; it stays where it is until it is advanced again. */
export async function stopClock({ em }: Tx, clockId: string, reason: string): Promise<void> {
  await em.nativeUpdate(TestClock, { id: clockId, status: 'advancing' }, { status: 'failed', target: null, reason });
}
