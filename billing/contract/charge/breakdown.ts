import type { Cycle } from '../../calendar/cycle.ts';
import { HOUR, type Instant } from '../../calendar/instant.ts';
import { type Pause, runningTime } from '../../calendar/pauses.ts';
import { FULL, NOTHING, type Ratio, ratioText, share } from '../../calendar/ratio.ts';
import type { Period } from '../../calendar/rhythm.ts';
import { dec, sum } from '../../money/decimal.ts';
import { moneyText } from '../../money/round.ts';
import { earlier, knownEnd, paidBounds, paidShare } from '../period/known-end.ts';
import { periodBounds } from '../period/time.ts';
import type { Contract } from '../types.ts';
import type { InvoiceWithLines } from '../work.ts';
import { fullCostOf } from './cost.ts';

/**
 * One contract's side of a change, as the API shows it. Money in the currency's digits, `proRate` plain to 12 places.
 */
export interface ChangeSide {
  fullCost: string;
  proRate: string;
  costProRated: string;
  usage: string;
  cycle: Cycle;
  timeOnContract: { period: Period; timeUsed: { unit: 'hour'; unitCount: number } };
}

/** The cost breakdown of an upgrade, as the API shows it. */
export interface Breakdown {
  oldContract: ChangeSide;
  newContract: ChangeSide;
  proRateOldContract: string;
  proRateNewContract: string;
  newContractCostProRated: string;
  usageOldContract: string;
  timeOnOldContract: { unit: 'hour'; value: number };
  timeOnNewContract: { unit: 'hour'; value: number };
  /**
   * what the change costs now: all estimated lines but the closing wallet line and usage that closes later; "0.00"
   * while it waits
   */
  total: string;
}

/** The time of one contract in a change, and its share of the whole period. */
export interface Part {
  period: Period;
  ratio: Ratio;
  hours: number;
}

/**
 * The parts of the billing period before and after a change made mid-cycle.
 *
 * @example
 * const story = signs('2025-06-01', plan('pro', { price: '100' }));
 * const old = story.contract();
 * changes(story, '2025-06-16', toPlan(plan('max', { price: '300' })));
 * partsNow(old, story.contract(), at('2025-06-16'), []).fresh.hours // 360
 */
export function partsNow(old: Contract, fresh: Contract, at: Instant, pauses: Pause[]): { old: Part; fresh: Part } {
  return { old: oldPart(old, at, pauses), fresh: newPart(fresh, at, pauses) };
}

function oldPart(old: Contract, at: Instant, pauses: Pause[]): Part {
  const began = old.began ?? at;
  if (old.currentIdx === null) {
    return { period: { start: began, end: at }, ratio: NOTHING, hours: hours(began, at, pauses) };
  }
  const { start } = periodBounds(old, old.currentIdx, pauses);
  const from = Math.max(start, began);
  return { period: { start: from, end: at }, ratio: paidShare(old, old.currentIdx, from, at, pauses), hours: hours(from, at, pauses) };
}

function newPart(fresh: Contract, at: Instant, pauses: Pause[]): Part {
  if (fresh.start === null) {
    const end = fresh.trialEnd;
    return { period: { start: at, end }, ratio: NOTHING, hours: hours(at, end, pauses) };
  }
  const { end } = newBounds(fresh, pauses);
  const ratio = paidShare(fresh, 1, at, end, pauses);
  return { period: { start: at, end }, ratio, hours: hours(at, end, pauses) };
}

/**
 * The parts of a change that waits for a boundary: the old contract has its whole period, and the new one its first
 * period, which is shorter than a whole one where an aligned cycle begins later or the contract is to end before.
 *
 * @param old as it is in the period that ends at the boundary
 * @example
 * const story = signs('2025-06-01', plan('pro', { price: '100' }));
 * const old = story.contract();
 * changes(story, '2025-06-16', toPlan(plan('basic', { price: '40' })));
 * story.advance('2025-07-01');
 * partsLater(old, story.contract(), at('2025-07-01'), []).old.hours // 720
 */
export function partsLater(old: Contract, fresh: Contract, at: Instant, pauses: Pause[]): { old: Part; fresh: Part } {
  const { ratio: _, ...before } = oldPart(old, at, pauses);
  const period = newBounds(fresh, pauses);
  const ratio = period.end === null ? FULL : paidShare(fresh, 1, period.start, period.end, pauses);
  return { old: { ...before, ratio: FULL }, fresh: { period, ratio, hours: 0 } };
}

/** The new contract's first period as far as it is charged: to a known end of the contract. */
function newBounds(fresh: Contract, pauses: Pause[]): Period {
  const bounds = paidBounds(fresh, 1, pauses);
  return { ...bounds, end: earlier(bounds.end, bounds.end && knownEnd(fresh, pauses)) };
}

function hours(from: Instant, to: Instant | null, pauses: Pause[]): number {
  return to === null ? 0 : Math.floor(runningTime(from, to, pauses) / HOUR);
}

/**
 * What a change shows, from the parts of the period and the invoices it makes. `total` is the sum of all their lines
 * but the one that moves a surplus to the wallet.
 *
 * @param invoices `later`: usage of the old contract that closes later by its policy
 * @example
 * const story = signs('2025-06-01', plan('pro', { price: '100' }));
 * const old = story.contract();
 * const { priceOnNew } = changes(story, '2025-06-16', toPlan(plan('max', { price: '300' })));
 * const fresh = story.contract();
 * const parts = partsNow(old, fresh, at('2025-06-16'), []);
 * breakdownOf({ old, fresh }, parts, { old: [], fresh: priceOnNew, later: [] }).total // '100.00'
 */
export function breakdownOf(
  sides: { old: Contract; fresh: Contract },
  parts: { old: Part; fresh: Part },
  invoices: Record<'old' | 'fresh' | 'later', InvoiceWithLines[]>,
): Breakdown {
  const usage = sumOf([...invoices.old, ...invoices.later], sides.old, (kind) => kind === 'usage');
  // first the share that its lines were just charged by, which is still at hand (`preparedFor`)
  const newContract = side(sides.fresh, parts.fresh, moneyText('0', sides.fresh.terms.currency));
  const oldContract = side(sides.old, parts.old, usage);
  return {
    oldContract,
    newContract,
    proRateOldContract: oldContract.proRate,
    proRateNewContract: newContract.proRate,
    newContractCostProRated: newContract.costProRated,
    usageOldContract: usage,
    timeOnOldContract: { unit: 'hour', value: parts.old.hours },
    timeOnNewContract: { unit: 'hour', value: parts.fresh.hours },
    total: sumOf([...invoices.old, ...invoices.fresh], sides.fresh, (kind) => kind !== 'wallet'),
  };
}

function side(contract: Contract, { period, ratio, hours: unitCount }: Part, usage: string): ChangeSide {
  const { currency, cycle } = contract.terms;
  const fullCost = fullCostOf(contract);
  return {
    fullCost,
    proRate: ratioText(ratio),
    costProRated: moneyText(share(dec(fullCost), ratio), currency),
    usage,
    cycle,
    timeOnContract: { period, timeUsed: { unit: 'hour', unitCount } },
  };
}

function sumOf(invoices: InvoiceWithLines[], { terms }: Contract, counts: (kind: string) => boolean): string {
  const lines = invoices.flatMap((one) => one.lines).filter(({ kind }) => counts(kind));
  return moneyText(sum(lines.map(({ totalIncludingTax }) => dec(totalIncludingTax))), terms.currency);
}
