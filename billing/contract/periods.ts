import { DAY, HOUR, type Instant, MINUTE } from '../calendar/instant.ts';
import type { Pause } from '../calendar/pauses.ts';
import { hasUsage } from './schedule.ts';
import { isLive, periodBounds, trialEndOf } from './time.ts';
import type { Contract, Period, UsagePeriod, UsagePeriodClosingPolicy } from './types.ts';
import { putPeriod, type Work } from './work.ts';

const DELAY: Record<Exclude<UsagePeriodClosingPolicy, 'manual'>, number> = {
  automatic: 0,
  '15 minutes': 15 * MINUTE,
  '1 hour': HOUR,
  '1 day': DAY,
};

/**
 * When a period that ends at `end` closes by itself. Without usage prices, and for the free trial with policy `manual`, at its end.
 *
 * @returns null when it is closed by hand, or its end isn't known
 * @example closingTime(contract with '1 hour', 3, at('2025-02-01')) // 2025-02-01T01:00Z
 */
function closingTime(contract: Contract, idx: number, end: Instant | null): Instant | null {
  if (end === null) return null;
  const policy = contract.configuration.usagePeriodClosingPolicy;
  if (policy === 'manual') return idx === 0 || !hasUsage(contract) ? end : null;
  return hasUsage(contract) ? end + DELAY[policy] : end;
}

/** The usage period of a contract's billing period (idx 0: of its trial), lived from `from` on, as it stands when it begins. */
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
  };
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

/** Index of the usage period that runs: the billing period's, 0 in the trial, null when none does. */
export function runningIdx({ status, start, currentIdx }: Pick<Contract, 'status' | 'start' | 'currentIdx'>): number | null {
  if (status !== 'active') return null;
  return start === null ? 0 : currentIdx;
}

/** Opens the period that begins; one that usage has made already keeps its row. */
export function openUsage(work: Work, contract: Contract, idx: number, from: Instant): void {
  putPeriod(work, usagePeriod(contract, idx, from, work.life.customer.pauses));
}

/** The open period of an index, null when it is closed or was never made. */
export function openRow(work: Work, idx: number): UsagePeriod | null {
  return work.life.periods.find((period) => period.idx === idx) ?? null;
}

/**
 * Marks a period as ended at `at`: it waits to be closed, by its policy or, `now`, at once. One that usage reported ahead of time has made and
 * that never begins is left with no length, so that what was used is charged and no minimum or fee; after a trial nothing is.
 */
export function endUsage(work: Work, idx: number, at: Instant, closing: 'by_policy' | 'now' = 'by_policy'): void {
  const row = openRow(work, idx);
  if (row === null) return;
  const { contract } = work.life;
  const ended: UsagePeriod = { ...row, from: Math.min(row.from, at), until: at, status: 'closing' };
  const isFree = !hasUsage(contract) || (contract.start === null && idx > 0);
  if (isFree) putPeriod(work, { ...ended, closesAt: at, status: 'closed', closedAt: at });
  else putPeriod(work, { ...ended, closesAt: closing === 'now' ? at : closingTime(contract, idx, at) });
}

/** Brings the end of the running period up to date after a freeze has begun or ended; that of a contract just moved to, too. */
export function refreshRunning(work: Work): void {
  const { contract, successor, periods } = work.life;
  refresh(work, contract, periods);
  if (successor !== null && !successor.isSuccessor) refresh(work, successor, [...work.periods.values()]);
}

function refresh(work: Work, contract: Contract, rows: readonly UsagePeriod[]): void {
  const idx = isLive(contract) ? runningIdx(contract) : null;
  const row = rows.find((one) => one.idx === idx && one.contractId === contract.id);
  if (row === undefined || idx === null) return;
  const { end } = usageBounds(contract, idx, work.life.customer.pauses);
  if (end === row.end && row.until === end) return;
  putPeriod(work, { ...row, end, until: end, closesAt: closingTime(contract, idx, end) });
}
