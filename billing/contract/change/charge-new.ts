import type { Instant } from '../../calendar/instant.ts';
import { FULL } from '../../calendar/ratio.ts';
import { customRhythm, indexOf, spanRatio } from '../../calendar/rhythm.ts';
import { readDerivation } from '../../explain/explain-line.ts';
import type { Charge } from '../../invoice/charge.ts';
import type { ChargedLine } from '../../invoice/types.ts';
import { customCharges, firstCharges, isChargedAhead, recurringCharges } from '../charge/charges.ts';
import { charge } from '../charge/close.ts';
import { grantCycle } from '../charge/plan-credits.ts';
import { withDiscountEnd } from '../period/discount-end.ts';
import { earlier, knownEnd, paidBounds, paidShare } from '../period/known-end.ts';
import { openUsage } from '../period/periods.ts';
import { triggeredSources } from '../period/sources.ts';
import { CUSTOM_TRIGGERS, type CustomTrigger, customBounds, remainingOf } from '../period/time.ts';
import { samePriceButUnits } from '../terms/terms.ts';
import type { Contract } from '../types.ts';
import { putContract, type Work } from '../work.ts';
import { continued } from './continue.ts';

/** What of the new contract's prices is charged with the change. */
export interface NewCharges {
  /**
   * whether a source is charged; `start` = where its span began. What becomes due only now hasn't been charged by the
   * old one
   */
  isCharged: (source: string, start: Instant, trigger: CustomTrigger | null) => boolean;
  /** whether a source is charged for a whole cycle, as at a rollover: also where the contract is to end before */
  isWhole: (source: string, trigger: CustomTrigger | null) => boolean;
}

/**
 * The rest of the period on the new contract: recurring lines, month, quarter and year lines, and `first_cycle` of
 * another plan.
 */
export function chargeNew(work: Work, old: Contract, fresh: Contract, at: Instant, charged: NewCharges): void {
  const { pauses } = work.snapshot.customer;
  const contract: Contract = { ...fresh, currentIdx: 1 };
  const { start, end: natural } = paidBounds(contract, 1, pauses);
  const upTo = (end: Instant | null) => {
    const ratio = paidShare(contract, 1, at, end, pauses);
    return { at, span: { start: at, end }, ratio, idx: 1, naturalEnd: end === natural ? null : natural };
  };
  const rest = upTo(earlier(natural, natural && knownEnd(contract, pauses)));
  const chargesOf = (make: (occasion: typeof rest) => Charge[]): Charge[] =>
    eachOf(
      make(rest),
      () => make(upTo(natural)),
      (source) => charged.isWhole(source, null),
    );
  charge(
    work,
    contract,
    chargesOf((occasion) => recurringCharges(contract, occasion, at !== start)).map((one) => continued(contract, one)),
    1,
    (source) => charged.isCharged(source, start, null),
  );
  const isAnotherPlan = old.terms.originalPlanId !== contract.terms.originalPlanId;
  if (isAnotherPlan)
    charge(
      work,
      contract,
      chargesOf((occasion) => firstCharges(contract, occasion)),
      1,
    );
  putContract(work, contract);
  for (const trigger of CUSTOM_TRIGGERS) chargeCustomRest(work, trigger, at, charged);
}

/** Each charge up to the known end of the contract, or whole. */
function eachOf(rest: Charge[], makeWhole: () => Charge[], isWhole: (source: string) => boolean): Charge[] {
  if (!rest.some(({ source }) => isWhole(source))) return rest;
  const whole = makeWhole();
  return rest.map((one, at) => (isWhole(one.source) ? (whole[at] ?? one) : one));
}

function chargeCustomRest(work: Work, trigger: CustomTrigger, at: Instant, { isCharged, isWhole }: NewCharges): void {
  const { successor: contract, customer } = work.snapshot;
  if (contract?.start == null || triggeredSources(contract.terms, trigger).length === 0) return;
  const rhythm = customRhythm(contract.start, trigger, customer.pauses);
  const k = indexOf(rhythm, at);
  const { start, end: natural } = customBounds(contract, trigger, k, customer.pauses);
  const upTo = (end: Instant | null): Charge[] => {
    const ratio = end === null ? FULL : spanRatio(rhythm, k, at, end);
    const occasion = { at, span: { start: at, end }, ratio, idx: 1, naturalEnd: end === natural ? null : natural };
    return customCharges(contract, trigger, k, occasion, at !== start);
  };
  const rest = upTo(earlier(natural, natural && knownEnd(contract, customer.pauses)));
  const charges = eachOf(
    rest,
    () => upTo(natural),
    (source) => isWhole(source, trigger),
  );
  charge(
    work,
    contract,
    charges
      .filter(({ source }) => isCharged(source, start, trigger) && !isChargedAhead(contract, source, k))
      .map((one) => continued(contract, at === start ? one : freeAsItBegan(work, one, at))),
    1,
  );
  putContract(work, { ...contract, customCharged: { ...contract.customCharged, [trigger]: k } });
}

/** A month, quarter or year that began in a free cycle stays free to its end where only the units change. */
function freeAsItBegan({ snapshot }: Work, charge: Charge, at: Instant): Charge {
  const lost = new Set(snapshot.contract.carried.lost);
  const pays = (line: ChargedLine): boolean =>
    line.kind === 'custom' &&
    line.source === charge.source &&
    !lost.has(line.id) &&
    remainingOf(line, at, snapshot.customer.pauses) !== null;
  const line = snapshot.running.findLast(pays);
  const began = line && readDerivation(line.derivation);
  if (began?.type !== 'charge' || began.cycle !== charge.cycle || !samePriceButUnits(charge.price, began.price.price)) return charge;
  const { free, freePart } = began;
  return { ...charge, free, ...(freePart ? { freePart } : {}) };
}

/** A change due exactly at the end of the trial: the new contract begins with its first period, whole. */
export function startNew(work: Work, fresh: Contract, at: Instant): void {
  const { pauses } = work.snapshot.customer;
  const contract = withDiscountEnd({ ...fresh, start: at }, pauses);
  const span = paidBounds(contract, 1, pauses);
  const occasion = { at, span, ratio: paidShare(contract, 1, span.start, span.end, pauses), idx: 1 };
  const started = { ...contract, currentIdx: 1 };
  charge(work, started, recurringCharges(started, occasion, false), 1);
  charge(work, started, firstCharges(started, occasion), 1);
  putContract(work, started);
  grantCycle(work, started, 1, at);
  openUsage(work, started, 1, at);
  for (const trigger of CUSTOM_TRIGGERS) chargeCustomRest(work, trigger, at, { isCharged: () => true, isWhole: () => true });
}
