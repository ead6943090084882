import { DAY, HOUR, type Instant, MINUTE } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { indexOf, type Period } from '../../calendar/rhythm.ts';
import type { Contract, UsagePeriod, UsagePeriodClosingPolicy } from '../types.ts';
import { putPeriod, type Work } from '../work.ts';
import { hasUsage } from './schedule.ts';
import { isFrozen, isLive, periodBounds, rhythmOf, trialEndOf } from './time.ts';

const DELAY: Record<Exclude<UsagePeriodClosingPolicy, 'manual'>, number> = {
  automatic: 0,
  '15 minutes': 15 * MINUTE,
  '1 hour': HOUR,
  '1 day': DAY,
};

/**
 * When a period that ends at `end` closes automatically. Without usage prices, and for the free trial with policy
 * `manual`, at its end.
 *
 * @returns null when a caller closes it, or its end isn't known
 */
function closingTime(contract: Contract, idx: number, end: Instant | null): Instant | null {
  if (end === null) return null;
  const policy = contract.configuration.usagePeriodClosingPolicy;
  if (policy === 'manual') return idx === 0 || !hasUsage(contract) ? end : null;
  return hasUsage(contract) ? end + DELAY[policy] : end;
}

/**
 * The usage period of a contract's billing period (idx 0: of its trial) as it begins, with this contract the live one
 * from `from` on.
 *
 * @throws BillingError `not_started`, `unknown_period`
 * @example
 * const contract = signs('2025-01-01', plan('pro', { features: { calls: usage('1') } })).contract();
 * usagePeriod(contract, 1, at('2025-01-01'), []).closesAt // at('2025-02-01')
 */
export function usagePeriod(contract: Contract, idx: number, from: Instant, pauses: Pause[]): UsagePeriod {
  const { start, end } = usageBounds(contract, idx, pauses);
  return {
    contractId: contract.id,
    idx,
    start,
    end,
    from,
    until: end,
    closesAt: closingTime(contract, idx, end),
    status: 'open',
    closedAt: null,
    follows: null,
    goesOn: [],
  };
}

/**
 * The usage period that an instant lies in by the calendar, as it will begin: for usage of a period that has no row
 * yet.
 *
 * @throws BillingError `unknown_period`
 * @example
 * const contract = signs('2025-01-01', plan('pro', { features: { calls: usage('1') } })).contract();
 * usagePeriodAt(contract, [], at('2025-02-01T00:10')).start // at('2025-02-01')
 */
export function usagePeriodAt(contract: Contract, pauses: Pause[], at: Instant): UsagePeriod {
  const begun = begunBy(contract, pauses, at);
  const idx = periodIdxAt(begun, pauses, at);
  return usagePeriod(begun, idx, usageBounds(begun, idx, pauses).start, pauses);
}

/**
 * Billing bounds of a usage period; idx 0 is the trial.
 *
 * @throws BillingError `not_started`, `unknown_period`
 */
function usageBounds(contract: Contract, idx: number, pauses: Pause[]): Period {
  if (idx === 0) return { start: contract.began ?? contract.activation ?? contract.created, end: trialEndOf(contract, pauses) };
  return periodBounds(contract, idx, pauses);
}

/**
 * A contract as it will be at an instant: where its trial has ended by then, its cycles have begun.
 *
 * @example
 * const contract = signs('2025-01-01', plan('pro', { trialDays: 14 })).contract();
 * begunBy(contract, [], at('2025-01-20')).start // at('2025-01-15')
 */
export function begunBy(contract: Contract, pauses: Pause[], at: Instant): Contract {
  if (contract.start !== null) return contract;
  const trialEnd = trialEndOf(contract, pauses);
  return trialEnd !== null && at >= trialEnd ? { ...contract, start: trialEnd } : contract;
}

/**
 * The index of the usage period that an instant lies in, by the calendar; 0 in a free trial. An instant before the
 * contract belongs to its first period.
 */
export function periodIdxAt(contract: Contract, pauses: Pause[], at: Instant): number {
  const begun = begunBy(contract, pauses, at);
  if (begun.start === null) return 0;
  if (at < begun.start) return begun.trialEnd === null ? 1 : 0;
  return Math.max(1, indexOf(rhythmOf(begun, pauses), at) - begun.firstCycle + 1);
}

/** Index of the usage period that runs: the billing period's, 0 in the trial, null when none does. */
export function runningIdx({ status, start, currentIdx }: Pick<Contract, 'status' | 'start' | 'currentIdx'>): number | null {
  if (status !== 'active') return null;
  return start === null ? 0 : currentIdx;
}

/**
 * Opens the period that begins; where usage has made its row already, that row is used.
 *
 * @param from since when this contract is the live one: after the period's start where a change made it so
 * @param follows the predecessor's period that it goes on from
 */
export function openUsage(work: Work, contract: Contract, idx: number, from: Instant, follows: UsagePeriod['follows'] = null): void {
  putPeriod(work, { ...usagePeriod(contract, idx, from, work.snapshot.customer.pauses), follows });
}

/** The open period of an index, null when it is closed or was never made. */
export function openRow(work: Work, idx: number): UsagePeriod | null {
  return work.snapshot.periods.find((period) => period.idx === idx) ?? null;
}

/** Whether a period has ended and waits for a caller to close it. */
export const closesByCall = ({ status, closesAt }: UsagePeriod): boolean => status === 'closing' && closesAt === null;

/**
 * Marks a period as ended at `at`: it waits to be closed by its policy. A period that exists only because usage was
 * reported ahead of time, and that never begins, gets no length: its usage is charged without minimum and fee, or,
 * after a trial, not at all.
 *
 * @example
 * const configuration = { usagePeriodClosingPolicy: '1 hour' };
 * const story = signs('2025-06-01', plan('pro', { features: { calls: usage('1') } }), { configuration });
 * const work = workOn(story, '2025-06-16');
 * endUsage(work, 1, at('2025-06-16'));
 * openRow(work, 1).closesAt // at('2025-06-16T01:00')
 */
export function endUsage(work: Work, idx: number, at: Instant): void {
  const row = openRow(work, idx);
  if (row === null) return;
  const { contract } = work.snapshot;
  const ended: UsagePeriod = { ...row, from: Math.min(row.from, at), until: at, status: 'closing' };
  const isFree = !hasUsage(contract) || (contract.start === null && idx > 0);
  if (isFree) putPeriod(work, { ...ended, closesAt: at, status: 'closed', closedAt: at });
  else putPeriod(work, { ...ended, closesAt: closingTime(contract, idx, at) });
}

/**
 * Updates the periods of a contract, and of a successor that has just taken over, after a freeze has begun or ended:
 * the end of the running one, and all bounds of those that usage reported ahead of time has made. While the freeze
 * lasts their ends are unknown and nothing closes.
 *
 * @example
 * const work = workOn(signs('2025-01-01', plan('pro')), '2025-01-16');
 * putPauses(work, [{ from: at('2025-01-10'), to: at('2025-01-15') }]);
 * refreshPeriods(work);
 * openRow(work, 1).end // at('2025-02-06')
 */
export function refreshPeriods(work: Work): void {
  const { contract, successor, periods } = work.snapshot;
  refresh(work, contract, periods);
  if (successor !== null && !successor.isSuccessor) refresh(work, successor, [...work.periods.values()]);
}

/**
 * Moves the end of the running period by the freezes that have ended, where a call has closed it before its time: it is
 * in no snapshot any more, and the next one begins at that end.
 *
 * @example
 * const story = signs('2025-01-01', plan('pro', { features: { calls: usage('1') } }));
 * story.does('2025-01-05', (snapshot, now, newId) => planUsageClosing(snapshot, 1, now, newId));
 * const work = workOn(story, '2025-01-16');
 * putPauses(work, [{ from: at('2025-01-10'), to: at('2025-01-15') }]);
 * moveClosedEnd(work);
 * work.movedEnds.map(({ end }) => end) // [at('2025-02-06')]
 */
export function moveClosedEnd(work: Work): void {
  const { contract, customer } = work.snapshot;
  const idx = runningIdx(contract);
  if (idx === null || openRow(work, idx) !== null) return;
  const ended = customer.pauses.filter(({ to }) => to !== null);
  const { end } = usageBounds(contract, idx, ended);
  if (end !== null) work.movedEnds.push({ contractId: contract.id, idx, end });
}

function refresh(work: Work, contract: Contract, rows: readonly UsagePeriod[]): void {
  const running = isLive(contract) ? runningIdx(contract) : null;
  if (running === null) return;
  for (const row of rows) {
    if (row.contractId !== contract.id || row.idx < running || row.status === 'closed') continue;
    const bounds = boundsNow(contract, row, running, work.snapshot.customer.pauses);
    const until = bounds.end;
    if (bounds.start !== row.start || bounds.from !== row.from || until !== row.end || until !== row.until)
      putPeriod(work, { ...row, ...bounds, until, closesAt: closingTime(contract, row.idx, until) });
  }
}

/** The bounds by now. A period whose start a freeze makes unknown stays where it was, without an end. */
function boundsNow(
  contract: Contract,
  { idx, start, from }: UsagePeriod,
  running: number,
  pauses: Pause[],
): Pick<UsagePeriod, 'start' | 'end' | 'from'> {
  if (idx === running) return { start, from, end: usageBounds(contract, idx, pauses).end };
  const begun = begunBy(contract, pauses, Number.POSITIVE_INFINITY);
  if (begun.start === null || isFrozen(pauses)) return { start, from, end: null };
  const bounds = usageBounds(begun, idx, pauses);
  return { ...bounds, from: bounds.start };
}
