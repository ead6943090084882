import type { Instant } from '../../calendar/instant.ts';
import { type Charge, chargeLines } from '../../invoice/charge.ts';
import { correctionLine } from '../../invoice/correction.ts';
import type { Line } from '../../invoice/types.ts';
import { discountIn } from '../period/cycles-left.ts';
import type { Contract, UsageCorrection, UsagePeriod } from '../types.ts';
import { addEvent, putPeriod, touch, type Work } from '../work.ts';
import { usageCharges } from './usage-charges.ts';

/**
 * Turns charges of a contract into fresh lines, which the invoice of this instant takes up.
 *
 * @param idx the billing period whose discount holds
 * @example a flat 100 with 10 % off in period 1: charge(work, contract, charges, 1) adds a line with subtotal '100.00', total '90.00'
 */
export function charge(work: Work, contract: Contract, charges: Charge[], idx: number): void {
  if (charges.length === 0) return;
  const { currency } = contract.terms;
  const context = { currency, tax: work.snapshot.tax, discount: discountIn(contract, idx), newId: work.newId };
  work.fresh.push(...chargeLines(charges, context));
}

/**
 * Closes a usage period: its sum becomes lines, nothing is counted in it any more. A period without an end is charged up to `at`.
 *
 * @example 350 units in packs of 100 at 0.0295: one line of 11.80 (K11)
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
 * Turns the corrections that wait, its predecessors' too, into fresh lines that join the contract's invoice of this instant. Where nothing was charged when the period
 * closed (in the free trial, and of what was reported in it for a time it never came to) they are settled without a line.
 *
 * @example 11.80 charged for 350 units in packs of 100 at 0.0295, corrected to 199: a line of −5.90
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

function lineOfCorrection({ snapshot, newId }: Work, correction: UsageCorrection, dueDate: Instant): Line[] {
  if (correction.closed === null) return [];
  return [
    correctionLine(correction, { ...correction.closed, currency: snapshot.contract.terms.currency, tax: snapshot.tax, dueDate, newId }),
  ];
}
