import type { Instant } from '../calendar/instant.ts';
import { type Charge, chargeLines } from '../invoice/charge.ts';
import { correctionLine } from '../invoice/correction.ts';
import { discountIn, isFree, usageCharges } from './charges.ts';
import { refuse } from './refusal.ts';
import { usageSources } from './sources.ts';
import { periodBounds, usageShare } from './time.ts';
import type { Contract, UsageCorrection, UsagePeriod } from './types.ts';
import { putPeriod, tell, touch, type Work } from './work.ts';

/**
 * Turns charges of a contract into fresh lines, which the invoice of this instant takes up.
 *
 * @param idx the billing period whose discount holds
 * @example a flat 100 with 10 % off in period 1: charge(work, contract, charges, 1) adds a line with subtotal '100.00', total '90.00'
 */
export function charge(work: Work, contract: Contract, charges: Charge[], idx: number): void {
  if (charges.length === 0) return;
  const { currency } = contract.terms;
  const context = { currency, tax: work.life.tax, discount: discountIn(contract, idx), mint: work.mint };
  work.fresh.push(...chargeLines(charges, context));
}

/**
 * Closes a usage period: its sum becomes lines, nothing is counted in it any more. A period without an end is charged up to `at`.
 *
 * @example 350 units in packs of 100 at 0.0295: one line of 11.80 (K11)
 */
export function closePeriod(work: Work, period: UsagePeriod, at: Instant): void {
  const { contract, customer, usage } = work.life;
  const until = period.until ?? at;
  const closed: UsagePeriod = { ...period, until, closesAt: period.closesAt ?? at, status: 'closed', closedAt: at };
  const ratio = shareOf(contract, closed, customer.pauses);
  charge(work, contract, usageCharges(contract, closed, usage, at, ratio), period.idx);
  putPeriod(work, closed);
  work.life = { ...work.life, usage: work.life.usage.filter(({ periodIdx }) => periodIdx !== period.idx) };
  tell(work, 'v1.usage_period.closed', contract.id, at, { idx: period.idx });
}

function shareOf(contract: Contract, { idx, from, until }: UsagePeriod, pauses: Work['life']['customer']['pauses']) {
  return idx === 0 ? { part: 0, whole: 1 } : usageShare(contract, idx, from, until, pauses);
}

/**
 * Turns the corrections that wait into fresh lines of the contract, to join the invoice of this instant. Those of the free trial, and of what was
 * reported in it for a time it never came to, are settled without a line.
 *
 * @throws Refusal `unknown_feature` when the contract has no usage price under the correction's slug
 * @example 11.80 charged for 350 units in packs of 100 at 0.0295, corrected to 199: a line of −5.90
 */
export function settleCorrections(work: Work, at: Instant): void {
  const { life } = work;
  if (life.corrections.length === 0) return;
  const charged = life.contract.start === null ? [] : life.corrections.filter(({ periodIdx }) => periodIdx > 0);
  work.fresh.push(...charged.map((one) => lineOfCorrection(work, one, at)));
  work.settled.push(...life.corrections);
  work.life = { ...life, corrections: [] };
  touch(work, life.contract);
}

function lineOfCorrection(work: Work, correction: UsageCorrection, at: Instant) {
  const { contract, customer, tax } = work.life;
  const source = usageSources(contract.terms).find(({ slug }) => slug === correction.slug);
  if (!source) return refuse('unknown_feature', `the contract has no usage feature ${correction.slug}`, 'feature_slug');
  const span = livedSpan(contract, correction.periodIdx, customer.pauses);
  return correctionLine(correction, {
    price: source.price,
    name: source.name,
    ratio: usageShare(contract, correction.periodIdx, span.start, span.end, customer.pauses),
    span,
    free: isFree(contract, correction.periodIdx, source, false),
    currency: contract.terms.currency,
    tax,
    dueDate: at,
    mint: work.mint,
  });
}

/**
 * The part of a billing period that was lived on the contract: less before a change brought it here, less after it ended. Nothing, at the end, of
 * one that usage reported ahead of time has made and that never began.
 */
function livedSpan(contract: Contract, idx: number, pauses: Work['life']['customer']['pauses']): { start: Instant; end: Instant | null } {
  const { start, end } = periodBounds(contract, idx, pauses);
  const { began, ended } = contract;
  if (ended !== null && ended < start) return { start: ended, end: ended };
  return {
    start: began !== null && began > start ? began : start,
    end: ended !== null && (end === null || ended < end) ? ended : end,
  };
}
