import type { Instant } from '../../calendar/instant.ts';
import { isUnitPriced, isUsagePriced, type Price } from '../../pricing/price.ts';
import { isSameUsagePrice } from '../../pricing/same-usage-price.ts';
import type { UsageHandover, UsagePeriod } from '../../usage/types.ts';
import type { Begin } from '../period/anchor.ts';
import { endUsage, openRow, runningIdx } from '../period/periods.ts';
import { hasUsage } from '../period/schedule.ts';
import { sourcesOf, usageSources } from '../period/sources.ts';
import type { Contract } from '../types.ts';
import { putPeriod, type Work } from '../work.ts';

/** What becomes of reported usage when a contract moves to its successor. */
export interface UsageMove {
  /** the usage period that runs */
  running: number;
  /** slugs that the new contract takes no usage of: what was reported ahead of time stays with the old one */
  stays: ReadonlySet<string>;
  /** sources whose usage goes on in the new contract's first period at the same price */
  goesOn: string[];
  /** the period from which the new contract's first goes on; null where a billing period begins with it */
  follows: UsagePeriod['follows'];
  handover: UsageHandover;
}

/**
 * What becomes of the usage of a contract that moves: inside a billing period its counters go on, a new cycle begins
 * with counters at zero.
 *
 * @param fresh the successor as it is from the change on
 */
export function usageMoveOf(work: Work, fresh: Contract, at: Instant, { boundary, begins = false }: Begin): UsageMove {
  const { contract: old } = work.snapshot;
  const running = runningIdx(old) ?? 0;
  const stays = usageThatStays(old, fresh);
  const isCharged = !boundary && hasUsage(old) && openRow(work, running) === null;
  const follows = !boundary && !begins && keepsPeriod(old, fresh) ? { contractId: old.id, idx: running } : null;
  return {
    running,
    stays,
    goesOn: follows === null ? [] : sourcesThatGoOn(old, fresh),
    follows,
    handover: {
      fromContractId: old.id,
      toContractId: fresh.id,
      after: isCharged ? null : boundary ? at - 1 : at,
      afterIdx: running,
      except: [...stays],
      counters: follows === null ? null : { fromIdx: follows.idx, toIdx: fresh.start === null ? 0 : 1 },
    },
  };
}

/** Whether a change inside the billing period, or the trial, lets it go on: another cycle begins a new one. */
function keepsPeriod(old: Contract, fresh: Contract): boolean {
  return old.start === null || fresh.terms.cycle === old.terms.cycle;
}

/** Reported usage of a feature with bought units is only shown, and a trial is free: it goes on whatever the price. */
function sourcesThatGoOn(old: Contract, fresh: Contract): string[] {
  const after = new Map(sourcesOf(fresh.terms).map(({ source, price }) => [source, price]));
  const both = (price: Price, next: Price | undefined, is: (one: Price) => boolean): boolean => is(price) && next !== undefined && is(next);
  return sourcesOf(old.terms).flatMap(({ source, price }) => {
    const next = after.get(source);
    const isShown = both(price, next, isUnitPriced) || (old.start === null && both(price, next, isReported));
    return isShown || isSameUsagePrice(price, next ?? null) ? [source] : [];
  });
}

/**
 * Sources of usage whose price begins with a change: they had another one before, or one for another cycle, or none.
 *
 * @param fresh the contract that the change leads to
 */
export function newUsage(old: Contract, fresh: Contract): string[] {
  const isAlike = old.terms.cycle === fresh.terms.cycle && old.terms.currency === fresh.terms.currency;
  const before = new Map(isAlike ? usageSources(old.terms).map(({ source, price }) => [source, price]) : []);
  return usageSources(fresh.terms).flatMap(({ source, price }) => (isSameUsagePrice(before.get(source) ?? null, price) ? [] : [source]));
}

const isReported = (price: Price): boolean => isUsagePriced(price) || isUnitPriced(price);

function usageThatStays(old: Contract, fresh: Contract): ReadonlySet<string> {
  const takenBy = ({ terms }: Contract) =>
    sourcesOf(terms).flatMap(({ slug, price }) => (slug !== null && isReported(price) ? [slug] : []));
  const taken = new Set(takenBy(fresh));
  return new Set(takenBy(old).filter((slug) => !taken.has(slug)));
}

/** Ends the usage of a contract that moves: what it charges itself closes by its policy, counted from the change. */
export function endOldUsage(work: Work, at: Instant, { running, stays, goesOn }: UsageMove): void {
  splitUsage(work, running, stays);
  const { contract } = work.snapshot;
  const row = openRow(work, running);
  const isAllTakenOver = usageSources(contract.terms).every(({ source }) => goesOn.includes(source));
  if (row !== null && isAllTakenOver) {
    putPeriod(work, { ...row, from: Math.min(row.from, at), until: at, goesOn, closesAt: at, status: 'closed', closedAt: at });
  } else {
    if (row !== null) putPeriod(work, { ...row, goesOn });
    endUsage(work, running, at);
  }
  endLater(work, running, at);
}

/** Usage after the change belongs to the new contract, where that has a price for it. */
function splitUsage(work: Work, running: number, stays: ReadonlySet<string>): void {
  const usage = work.snapshot.usage.flatMap((total) => {
    if (stays.has(total.slug)) return [total];
    if (total.periodIdx > running) return [];
    return [{ ...total, units: total.unitsUntilNow, events: total.eventsUntilNow, marker: total.markerUntilNow }];
  });
  work.snapshot = { ...work.snapshot, usage };
}

/**
 * Usage reported before the change was carried out may have made a row for a period that the old contract never
 * reaches. What stays in it is charged; an empty one is closed.
 */
function endLater(work: Work, running: number, at: Instant): void {
  for (const period of work.snapshot.periods) {
    if (period.idx <= running) continue;
    if (work.snapshot.usage.some(({ periodIdx }) => periodIdx === period.idx)) endUsage(work, period.idx, at);
    else putPeriod(work, { ...period, from: at, until: at, closesAt: at, status: 'closed', closedAt: at });
  }
}
