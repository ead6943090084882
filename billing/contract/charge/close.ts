import type { Instant } from '../../calendar/instant.ts';
import { type Charge, chargeLines } from '../../invoice/charge.ts';
import { correctionLine } from '../../invoice/correction.ts';
import type { Line } from '../../invoice/types.ts';
import { discountIn } from '../period/cycles-left.ts';
import type { Contract, UsageCorrection, UsagePeriod } from '../types.ts';
import { addEvent, putPeriod, touch, type Work } from '../work.ts';
import { dueWhenMade } from './charges.ts';
import { usageCharges } from './usage-charges.ts';

/**
 * Makes fresh lines of a contract's charges, for the invoice of this instant.
 *
 * @param idx the billing period whose discount applies
 * @param isCharged leaves lines out, with their shares of a flat discount
 * @example
 * const work = workOn(signs('2025-01-01', plan('pro')), '2025-01-10');
 * const discounted = { ...work.snapshot.contract, discount: discountOf('percentage', '10') };
 * const once = { at: at('2025-01-10'), span: { start: at('2025-01-10'), end: null }, ratio: FULL, idx: 1 };
 * const contract = { ...discounted, terms: { ...discounted.terms, price: price('100') } };
 * charge(work, contract, recurringCharges(contract, once, false), 1);
 * work.fresh.map(({ subtotal, totalExcludingTax }) => [subtotal, totalExcludingTax]) // [['100.00', '90.00']]
 */
export function charge(
  work: Work,
  contract: Contract,
  charges: Charge[],
  idx: number,
  isCharged: (source: string) => boolean = () => true,
): void {
  const { currency } = contract.terms;
  const context = {
    currency,
    tax: work.snapshot.tax,
    discount: discountIn(contract, idx, work.snapshot.customer.pauses),
    newId: work.newId,
  };
  work.fresh.push(...chargeLines(charges, context).filter(({ source }) => isCharged(source)));
}

/**
 * Closes a usage period: its sum becomes lines, and nothing more is counted in it. A period without an end is charged
 * up to `at`.
 *
 * @example
 * const story = signs('2025-06-01', plan('pro', { features: { calls: usage('0.0295', { batch: 100 }) } }));
 * story.uses('2025-06-10', 'calls', '350');
 * const work = workOn(story, '2025-06-16');
 * closePeriod(work, openRow(work, 1), at('2025-06-16'));
 * work.fresh.map(({ unitCount, unitPrice }) => [unitCount, unitPrice]) // [['400', '0.0295']]
 */
export function closePeriod(work: Work, period: UsagePeriod, at: Instant): void {
  const { contract } = work.snapshot;
  const until = period.until ?? at;
  const closed: UsagePeriod = { ...period, until, closesAt: period.closesAt ?? at, status: 'closed', closedAt: at };
  charge(work, contract, usageCharges(work.snapshot, period, at), period.idx);
  putPeriod(work, closed);
  work.snapshot = { ...work.snapshot, usage: work.snapshot.usage.filter(({ periodIdx }) => periodIdx !== period.idx) };
  addEvent(work, 'v1.usage_period.closed', contract.id, at, { idx: period.idx });
}

/**
 * Makes fresh lines of the corrections that wait, those of predecessors too, for the contract's invoice of this
 * instant. A correction of what was never charged (in the free trial, and of usage reported in it for a later time) is
 * done without a line.
 *
 * @example
 * const work = workOn(signs('2025-06-01', plan('pro')), '2025-07-04');
 * const closed = { lineId: 'Item_1', name: 'Calls', price: usage('0.0295', { batch: 100 }), ratio: FULL, free: false,
 *   span: { start: at('2025-06-01'), end: at('2025-07-01') }, began: null };
 * const corrections = [{ periodIdx: 1, slug: 'calls', units: '199', charged: '11.80', closed, occasion: 'Corr_1' }];
 * work.snapshot = { ...work.snapshot, corrections };
 * chargeCorrections(work, at('2025-07-04'));
 * work.fresh.map(({ subtotal }) => subtotal) // ['-5.90']
 */
export function chargeCorrections(work: Work, at: Instant): void {
  const { snapshot } = work;
  if (snapshot.corrections.length === 0) return;
  const lines = snapshot.corrections.flatMap((one) => lineOfCorrection(work, one, at));
  for (const { id } of lines) work.payers.set(id, snapshot.contract.id);
  work.fresh.push(...lines);
  work.chargedCorrections.push(...snapshot.corrections);
  work.snapshot = { ...snapshot, corrections: [] };
  touch(work, snapshot.contract);
}

function lineOfCorrection({ snapshot, newId }: Work, correction: UsageCorrection, at: Instant): Line[] {
  if (correction.closed === null) return [];
  const { contract, tax } = snapshot;
  const dueDate = dueWhenMade(contract, at);
  return [correctionLine(correction, { ...correction.closed, currency: contract.terms.currency, tax, dueDate, newId })];
}
