import type { Instant } from '../../calendar/instant.ts';
import { chargeLines } from '../../invoice/charge.ts';
import { chargesOfEach, usageCharges } from '../charge/usage-charges.ts';
import type { InvoiceWithLines, Work } from '../work.ts';
import { estimatedInvoices } from './preview.ts';

/**
 * What a contract that has moved still owes for usage that closes later by its policy: priced as if its open periods
 * ended now. It is only shown.
 *
 * @example
 * const configuration = { usagePeriodClosingPolicy: '1 day' };
 * const story = signs('2025-06-01', plan('pro', { features: { calls: usage('1') } }), { configuration });
 * story.uses('2025-06-10', 'calls', '5');
 * usageAhead(workOn(story, '2025-06-16'), at('2025-06-16'))[0].invoice.total // '5.00'
 */
export function usageAhead(work: Work, at: Instant): InvoiceWithLines[] {
  const { snapshot, newId } = work;
  const { contract, tax, periods } = snapshot;
  const charges = chargesOfEach(snapshot, periods, (own, period) => usageCharges(own, period, at));
  const lines = chargeLines(charges, { currency: contract.terms.currency, tax, discount: null, newId });
  return estimatedInvoices(lines, contract, at, newId);
}
