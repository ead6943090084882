import type { Instant } from '../../billing/calendar/instant.ts';
import { Refusal } from '../../billing/refusal.ts';
import { type ClockState, readClock } from '../../db/clock/now.ts';
import type { Queryable, Tx } from '../../db/connect.ts';
import { paymentUnderWay } from '../../db/payment/under-way.ts';
import { stamp } from '../../db/rows.ts';
import { enqueue } from '../../temporal/message-kinds.ts';

const LONGEST_ADVANCE = 30 * 366 * 86_400_000;

/**
 * Sends a clock on its way; its workflow does the rest.
 *
 * @throws Refusal `test_clock_not_found`, `clock_advancing`, `invalid_request` for going back
 */
export async function sendClock(tx: Tx, vendorId: string, clockId: string, target: Instant): Promise<void> {
  const clock = await readClock(tx, clockId, { lock: true });
  if (clock === null || clock.vendorId !== vendorId) throw new Refusal('test_clock_not_found', `There is no test clock ${clockId}.`);
  if (clock.status === 'advancing') throw new Refusal('clock_advancing', `The test clock ${clockId} is advancing.`);
  if (target > clock.now + LONGEST_ADVANCE)
    throw new Refusal('invalid_request', 'A clock moves at most 30 years in one advance.', {
      now: `must be at most 30 years after ${new Date(clock.now).toISOString()}`,
    });
  if (target < clock.now)
    throw new Refusal('invalid_request', 'A clock never runs back.', { now: 'must not be before the time of the clock' });
  if (target === clock.now && clock.status === 'ready') return;
  await tx.query(`update test_clock set status = 'advancing', target = $2, reason = null where id = $1`, [clockId, stamp(target)]);
  enqueue(tx, 'clock', clockId);
}

/**
 * Ends an advance after the instant the clock is at: its workflow finishes what is due there. A clock that stands stays as it is.
 *
 * @throws Refusal `test_clock_not_found`
 */
export async function stopAdvance(tx: Tx, vendorId: string, clockId: string): Promise<void> {
  const clock = await readClock(tx, clockId, { lock: true });
  if (clock === null || clock.vendorId !== vendorId) throw new Refusal('test_clock_not_found', `There is no test clock ${clockId}.`);
  if (clock.status !== 'advancing') return;
  await tx.query('update test_clock set target = now where id = $1', [clockId]);
  enqueue(tx, 'clock', clockId);
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
export async function moveClock(tx: Queryable, clockId: string): Promise<MovedClock | null> {
  const clock = await readClock(tx, clockId, { lock: true });
  if (clock === null || clock.status !== 'advancing' || clock.target === null) return null;
  const [seen] = await tx.query<{ next: Instant | null; under_way: boolean }>(
    `select (select min(a.due_at) from agenda a where a.test_clock_id = $1 and a.due_at <= $2) as next,
       ${paymentUnderWay('$1', '$3')} as under_way`,
    [clockId, stamp(clock.target), stamp(clock.now)],
  );
  const next = seen?.next ?? null;
  const wanted = Math.max(clock.now, next ?? clock.target);
  const isHeld = seen?.under_way === true && wanted > clock.now;
  const now = isHeld ? clock.now : wanted;
  if (now > clock.now) await tx.query('update test_clock set now = $2 where id = $1', [clockId, stamp(now)]);
  return { clock: { ...clock, now }, isDue: next !== null && next <= now, isHeld };
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
export async function stopClock(tx: Queryable, clockId: string, reason: string): Promise<void> {
  await tx.query(`update test_clock set status = 'failed', target = null, reason = $2 where id = $1 and status = 'advancing'`, [
    clockId,
    reason,
  ]);
}
