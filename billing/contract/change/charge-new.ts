import type { Instant } from '../../calendar/instant.ts';
import { FULL } from '../../calendar/ratio.ts';
import { customRhythm, indexOf, spanRatio } from '../../calendar/rhythm.ts';
import { customCharges, firstCharges, recurringCharges } from '../charge/charges.ts';
import { charge } from '../charge/close.ts';
import { grantCycle } from '../charge/plan-credits.ts';
import { withDiscountEnd } from '../period/discount-end.ts';
import { earlier, knownEnd, paidBounds, paidShare } from '../period/known-end.ts';
import { openUsage } from '../period/periods.ts';
import { triggeredSources } from '../period/sources.ts';
import { CUSTOM_TRIGGERS, type CustomTrigger, customBounds } from '../period/time.ts';
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
  /** a whole cycle is charged, as each one is: also where the contract is to end before */
  isWhole: boolean;
}

/**
 * The rest of the period on the new contract: recurring lines, month, quarter and year lines, and `first_cycle` of
 * another plan.
 */
export function chargeNew(work: Work, old: Contract, fresh: Contract, at: Instant, { isCharged, isWhole }: NewCharges): void {
  const { pauses } = work.snapshot.customer;
  const contract: Contract = { ...fresh, currentIdx: 1 };
  const { start, end: natural } = paidBounds(contract, 1, pauses);
  const end = isWhole ? natural : earlier(natural, natural && knownEnd(contract, pauses));
  const occasion = { at, span: { start: at, end }, ratio: paidShare(contract, 1, at, end, pauses), idx: 1, isCut: end !== natural };
  charge(
    work,
    contract,
    recurringCharges(contract, occasion, at !== start)
      .filter(({ source }) => isCharged(source, start, null))
      .map((one) => continued(contract, one)),
    1,
  );
  if (old.terms.originalPlanId !== contract.terms.originalPlanId) charge(work, contract, firstCharges(contract, occasion), 1);
  putContract(work, contract);
  for (const trigger of CUSTOM_TRIGGERS) chargeCustomRest(work, trigger, at, isCharged);
}

function chargeCustomRest(work: Work, trigger: CustomTrigger, at: Instant, isCharged: NewCharges['isCharged']): void {
  const { successor: contract, customer } = work.snapshot;
  if (contract?.start == null || triggeredSources(contract.terms, trigger).length === 0) return;
  const rhythm = customRhythm(contract.start, trigger, customer.pauses);
  const k = indexOf(rhythm, at);
  const { start, end: natural } = customBounds(contract, trigger, k, customer.pauses);
  const end = earlier(natural, natural && knownEnd(contract, customer.pauses));
  const ratio = end === null ? FULL : spanRatio(rhythm, k, at, end);
  const occasion = { at, span: { start: at, end }, ratio, idx: 1, isCut: end !== natural };
  const charges = customCharges(contract, trigger, k, occasion, at !== start);
  charge(
    work,
    contract,
    charges.filter(({ source }) => isCharged(source, start, trigger)).map((one) => continued(contract, one)),
    1,
  );
  putContract(work, { ...contract, customCharged: { ...contract.customCharged, [trigger]: k } });
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
  for (const trigger of CUSTOM_TRIGGERS) chargeCustomRest(work, trigger, at, () => true);
}
