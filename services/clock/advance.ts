import { type Instant, iso } from '../../billing/calendar/instant.ts';
import { boundary } from '../../billing/calendar/rhythm.ts';
import { Refusal } from '../../billing/refusal.ts';
import { type ClockState, nowOf } from '../../db/clock/now.ts';
import type { Queryable, Tx } from '../../db/connect.ts';
import { TestClock, type TestClockRecord } from '../../db/entities/vendor.ts';
import { paymentUnderWay } from '../../db/payment/under-way.ts';
import { stamp } from '../../db/rows.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import { enqueue } from '../../temporal/message-kinds.ts';

const MOST_YEARS = 30;

/**
 * Sends a clock on its way; its workflow does the rest.
 *
 * @throws Refusal `test_clock_not_found`, `clock_advancing`, `invalid_request` for going back
 */
export async function sendClock(tx: Tx, vendorId: string, clockId: string, target: Instant): Promise<void> {
  const clock = await lockOwnClock(tx, vendorId, clockId);
  if (clock.status === 'advancing') throw new Refusal('clock_advancing', `The test clock ${clockId} is advancing.`);
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
 * Ends an advance after the instant the clock is at: its workflow finishes what is due there. A clock that stands stays as it is.
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
  isDue: boolean;
  /** a payment of this instant is being made: the clock stands until its outcome, and what follows from it, is written */
  isHeld: boolean;
}

/**
 * Moves a clock to the next due instant, or to the target when nothing is due before it; null when the clock isn't moving. What is due and
 * what is under way are read in one statement: a payment that starts or ends meanwhile is always seen as the one or the other.
 */
export async function moveClock(tx: Tx, clockId: string): Promise<MovedClock | null> {
  const clock = await lockClock(tx, clockId);
  if (clock === null || clock.status !== 'advancing' || clock.target === null) return null;
  const [seen] = await tx.query<{ next: Instant | null; under_way: boolean; wall: Instant }>(
    `select clock_timestamp() as wall, (select min(a.due_at) from agenda a where a.test_clock_id = $1 and a.due_at <= $2) as next,
       ${paymentUnderWay('$1', '$3')} as under_way`,
    [clockId, stamp(clock.target), stamp(clock.now)],
  );
  const next = seen?.next ?? null;
  const wanted = Math.max(clock.now, next ?? clock.target);
  const isHeld = seen?.under_way === true && wanted > clock.now;
  const now = isHeld ? clock.now : wanted;
  if (now !== clock.now) tx.em.assign(clock, { now, movedAt: Math.floor(seen?.wall ?? 0) });
  await tx.em.flush();
  return { clock, isDue: next !== null && next <= now, isHeld };
}

/**
 * Lets a clock stand at its target when nothing is due by then and nothing under way, both looked at in the one statement that says so.
 *
 * @returns false when there is more to do
 */
export async function setReady(tx: Queryable, clockId: string): Promise<boolean> {
  const settled = await tx.query(
    `update test_clock t set status = 'ready', target = null, reason = null
     where t.id = $1 and t.status = 'advancing' and t.now = t.target
       and not exists (select from agenda a where a.test_clock_id = t.id and a.due_at <= t.target)
       and not ${paymentUnderWay('t.id', 't.now')} returning t.id`,
    [clockId],
  );
  return settled.length > 0;
}

/** The clock can't go on; it stands where it is until it is sent again. */
export async function stopClock({ em }: Tx, clockId: string, reason: string): Promise<void> {
  await em.nativeUpdate(TestClock, { id: clockId, status: 'advancing' }, { status: 'failed', target: null, reason });
}
