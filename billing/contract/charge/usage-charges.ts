import type { Instant } from '../../calendar/instant.ts';
import type { Charge } from '../../invoice/charge.ts';
import { freedomIn } from '../period/cycles-left.ts';
import { usageSources } from '../period/sources.ts';
import type { ContractSnapshot, UsagePeriod } from '../types.ts';
import { dueWhenMade } from './charges.ts';
import { countedPart } from './counted-part.ts';

/**
 * The usage of a period that closes: a charge for each usage price, even without usage, since minimum and flat fee are
 * due anyway. The free trial, period 0, is never charged, nor is what goes on in the contract that follows.
 *
 * @param period as it was before it closes; one without an end is charged up to `at`, for all of its time
 * @param snapshot the contract with what was counted in the period and in the parts before it
 * @example
 * const story = signs('2025-06-01', plan('pro', { features: { calls: usage('1') } }));
 * story.uses('2025-06-10', 'calls', '350');
 * const { snapshot } = workOn(story, '2025-06-16');
 * usageCharges(snapshot, snapshot.periods[0], at('2025-06-16')).map(({ units }) => units) // ['350']
 */
export function usageCharges({ contract, customer, usage, earlier }: ContractSnapshot, period: UsagePeriod, at: Instant): Charge[] {
  if (period.idx === 0) return [];
  const sources = usageSources(contract.terms).filter(({ source }) => !period.goesOn.includes(source));
  return sources.map((source) => {
    const { units, events, began, start, ratio } = countedPart({ contract, period, usage }, earlier, source, customer.pauses);
    return {
      contractId: contract.id,
      chargeKey: `usage:${period.idx}:${source.source}`,
      kind: 'usage',
      source: source.source,
      name: source.name,
      price: source.price,
      units,
      events,
      began,
      ratio,
      span: { start, end: period.until ?? at },
      dueDate: dueWhenMade(contract, at),
      schedulingPolicy: 'immediate',
      periodIdx: period.idx,
      discountable: false,
      ...freedomIn(contract, period.idx, source, false),
    };
  });
}
