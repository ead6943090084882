import type { Instant } from '../../calendar/instant.ts';
import { FULL } from '../../calendar/ratio.ts';
import { customRhythm, indexOf, type Period } from '../../calendar/rhythm.ts';
import { chargeLines } from '../../invoice/charge.ts';
import type { Line } from '../../invoice/types.ts';
import { customCharges, recurringCharges } from '../charge/charges.ts';
import { discountIn } from '../period/cycles-left.ts';
import { paidBounds } from '../period/known-end.ts';
import { CUSTOM_TRIGGERS, type CustomTrigger, customBounds } from '../period/time.ts';
import type { Contract } from '../types.ts';
import type { Work } from '../work.ts';

/** Which of a contract's prices begin with the change, so that they are charged whole and not compared. */
export type Begins = (trigger: CustomTrigger | null) => boolean;

/**
 * What each recurring price, and each month, quarter and year price, of a contract costs for the whole cycle that an
 * instant lies in: after discount and free cycles. The lines are only compared, never written.
 *
 * @param begins triggers that are left out; null stands for every cycle
 * @example
 * const work = workOn(signs('2025-06-01', plan('pro', { price: '30', freeCycles: 1 })), '2025-06-16');
 * const { contract } = work.snapshot;
 * fullPrices(work, contract, at('2025-06-16'), () => false).map(({ subtotal }) => subtotal) // ['0.00']
 */
export function fullPrices(work: Work, contract: Contract, at: Instant, begins: Begins): Line[] {
  const idx = contract.currentIdx ?? 1;
  const { tax, customer } = work.snapshot;
  const context = { currency: contract.terms.currency, tax, newId: work.newId };
  const of = (span: Period) => ({ at, span, ratio: FULL, idx });
  const recurring = begins(null) ? [] : recurringCharges(contract, of(paidBounds(contract, idx, customer.pauses)), true);
  const custom = CUSTOM_TRIGGERS.filter((trigger) => !begins(trigger)).flatMap((trigger) => {
    const k = indexOf(customRhythm(contract.start ?? at, trigger, customer.pauses), at);
    return customCharges(contract, trigger, k, of(customBounds(contract, trigger, k, customer.pauses)), true);
  });
  return [
    ...chargeLines(recurring, { ...context, discount: discountIn(contract, idx, customer.pauses) }),
    ...chargeLines(custom, { ...context, discount: null }),
  ];
}
