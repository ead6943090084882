import type { Instant } from '../../billing/calendar/instant.ts';
import { readClock } from '../../db/clock/read.ts';
import { restAfter } from '../../db/rest-after.ts';
import { isPaymentUnderWay } from '../../db/sql/clock/is-payment-under-way.ts';
import type { OtherRow } from '../../db/sql/clock/other-due-rows.ts';
import { setReady } from '../../db/sql/clock/set-ready.ts';
import type { WorkflowMessage } from '../../db/transaction.ts';
import { sendRemindersOnClock } from '../agenda/send-reminders.ts';
import { moveClock, stopClock } from './advance.ts';
import { advanceDueContracts, parkedAt } from './contracts.ts';
import { type ClockParts, doOtherRows, dueWithoutContract } from './other-rows.ts';

/** Where a clock stands after some instants. */
export interface ClockProgress {
  now: Instant;
  /** true when the clock has reached its target, or can't go on */
  done: boolean;
  /** payments of this instant are being made, or something has failed: look again when they have ended, or later */
  waiting: boolean;
  reason: string | null;
}

type Progress = 'moved' | 'ready' | 'waiting' | 'stopped';

/**
 * In the last two thirds of a step's budget it rests after each instant, so that only a long advance is slowed down.
 */
const LONG = 2 / 3;

/**
 * Moves a clock from due instant to due instant for a while. At each one, contracts that are due are advanced first,
 * then everything else is done, and only then does the clock move on. An instant that a crash cut short is finished
 * first, since its agenda rows are still there. The chains are signalled once, at the end.
 *
 * @param budgetMs for how long the step goes on to further instants
 */
export async function stepClock(parts: ClockParts, clockId: string, budgetMs: number): Promise<ClockProgress> {
  const messages: WorkflowMessage[] = [];
  const until = Date.now() + budgetMs;
  const restsFrom = until - budgetMs * LONG;
  let progress: Progress = 'moved';
  try {
    while (progress === 'moved' && Date.now() < until) {
      progress = await restAfter(
        () => oneInstant(parts, clockId, messages),
        (then) => then === 'moved' && Date.now() > restsFrom,
      );
    }
  } finally {
    // what is committed is signalled, also where the instant after it has failed
    parts.db.dispatcher?.dispatch(messages);
  }
  const clock = await readClock(parts.db.em(), clockId);
  return {
    now: clock?.now ?? 0,
    done: clock === null || clock.status !== 'advancing',
    waiting: progress === 'waiting',
    reason: clock?.reason ?? null,
  };
}

async function oneInstant(parts: ClockParts, clockId: string, messages: WorkflowMessage[]): Promise<Progress> {
  const { db } = parts;
  const moved = await db.transaction((tx) => moveClock(tx, clockId), { by: 'clock' });
  if (moved === null) return 'stopped';
  if (moved.isWaiting) return 'waiting';
  const { now } = moved.clock;
  await sendRemindersOnClock(db, { clockId, since: moved.since, upTo: now });
  if (moved.isDue) {
    await advanceDueContracts(parts, clockId, now, messages);
    const reason = await parkedAt(db, clockId, now);
    if (reason !== null) return stop(parts, clockId, reason);
    const rows = await dueWithoutContract(db, clockId, now);
    const failure = await doOtherRows(parts, rows, now, messages);
    if (failure !== null) return stop(parts, clockId, failure);
    return (await hasToWait(parts, clockId, { now, tried: rows })) ? 'waiting' : 'moved';
  }
  if (await isPaymentUnderWay(db, clockId)) return 'waiting';
  return (await db.transaction((tx) => setReady(tx, clockId), { by: 'clock' })) ? 'ready' : 'moved';
}

async function stop({ db }: ClockParts, clockId: string, reason: string): Promise<Progress> {
  await db.transaction((tx) => stopClock(tx, clockId, reason), { by: 'clock' });
  return 'stopped';
}

/**
 * Whether the clock waits: for a payment, or because all rows that are left have failed. A row that another row has
 * just brought, such as the invoice of a top-up, is done at once.
 */
async function hasToWait(
  { db }: ClockParts,
  clockId: string,
  { now, tried }: { now: Instant; tried: readonly OtherRow[] },
): Promise<boolean> {
  if (await isPaymentUnderWay(db, clockId)) return true;
  const left = await dueWithoutContract(db, clockId, now);
  return left.length > 0 && left.every((row) => tried.some(({ kind, subject }) => kind === row.kind && subject === row.subject));
}
