import type { Instant } from '../../calendar/instant.ts';
import { chargeLines } from '../../invoice/charge.ts';
import { type Decimal, dec, sum, text } from '../../money/decimal.ts';
import { reportedSources, type Source } from '../period/sources.ts';
import type { ContractSnapshot, UsagePeriod, UsageTotal } from '../types.ts';
import { begunPeriods, mayInvoiceEarly, openUsageOf } from './threshold.ts';
import { sourceSoFar, sourcesOfPeriod } from './usage-charges.ts';

/** How many more units of a feature can come in a period. */
export interface UsageRoom {
  contractId: string;
  idx: number;
  slug: string;
  /** as decimal text; null: any number, since the period charges nothing for them */
  units: string | null;
}

const LEAST = dec('0.001');
const MOST = dec('1e15');
/** Room is found by steps of this factor, and then to a tenth: finding less only has a contract looked at earlier. */
const STEP = 4;
const NEARLY = '1.1';

/**
 * How many more units of each feature can be used without the contract's open usage coming to its invoice threshold,
 * whatever is used of the others: each usage price of each open period gets the same share of the money that is left,
 * and room for as many units as cost less than that. Prices never fall with more units where there is a threshold
 * (`checkThreshold`), so less usage than that costs less, too.
 *
 * It holds as long as nothing else of the contract changes than what is counted.
 *
 * @returns null where no room is known: the threshold is reached, or nothing can be invoiced now
 * @example
 * const offer = plan('pro', { features: { calls: usage('1'), data: usage('0') } });
 * const story = signs('2025-01-01', offer, { configuration: { invoiceThreshold: '100.00' } });
 * story.uses('2025-01-05', 'calls', '20');
 * const room = roomToThreshold(workOn(story, '2025-01-05').snapshot, at('2025-01-05'));
 * room.map(({ slug, units }) => [slug, units]) // [['calls', '37.888'], ['data', null]]
 */
export function roomToThreshold(snapshot: ContractSnapshot, now: Instant): UsageRoom[] | null {
  const { contract } = snapshot;
  const left = dec(contract.configuration.invoiceThreshold ?? '0').minus(openUsageOf(snapshot, now));
  if (!mayInvoiceEarly(snapshot) || left.lte(0)) return null;
  const periods = begunPeriods(snapshot);
  const priced = sum(periods.map((period) => dec(sourcesOfPeriod(snapshot, period).length)));
  return periods.flatMap((period) => {
    const charged = new Map(sourcesOfPeriod(snapshot, period).map((source) => [source.source, source]));
    return reportedSources(contract.terms).flatMap(({ slug, source }): UsageRoom[] => {
      if (slug === null) return [];
      const own = charged.get(source);
      const units = own === undefined ? null : roomOf(snapshot, period, { source: own, share: left.div(priced), now });
      return [{ contractId: contract.id, idx: period.idx, slug, units }];
    });
  });
}

/** The most units found that cost less than a share of money; null: any number does. */
function roomOf(
  snapshot: ContractSnapshot,
  period: UsagePeriod,
  { source, share, now }: { source: Source; share: Decimal; now: Instant },
): string | null {
  const amount = (more: Decimal): Decimal => amountWith(snapshot, period, { source, more, now });
  const before = amount(dec('0'));
  const fits = (more: Decimal): boolean => amount(more).minus(before).lt(share);
  if (fits(MOST)) return null;
  let [most, above] = [dec('0'), LEAST];
  while (fits(above)) [most, above] = [above, above.times(STEP)];
  while (most.gt(0) && above.gt(most.times(NEARLY))) {
    const middle = most.plus(above).div(2);
    if (fits(middle)) most = middle;
    else above = middle;
  }
  return text(most);
}

function amountWith(
  snapshot: ContractSnapshot,
  period: UsagePeriod,
  { source, more, now }: { source: Source; more: Decimal; now: Instant },
): Decimal {
  const { contract, tax } = snapshot;
  const charge = sourceSoFar(withMore(snapshot, period, source.slug ?? '', more), period, source, now);
  const lines = chargeLines([charge], { currency: contract.terms.currency, tax, discount: null, newId: (prefix) => prefix });
  return sum(lines.map(({ subtotal }) => dec(subtotal)));
}

/** A contract that has used more of a feature. */
function withMore(snapshot: ContractSnapshot, { contractId, idx }: UsagePeriod, slug: string, more: Decimal): ContractSnapshot {
  const isOwn = (total: UsageTotal): boolean => total.contractId === contractId && total.periodIdx === idx && total.slug === slug;
  const none = { units: '0', events: 0, marker: null, unitsUntilNow: '0', eventsUntilNow: 0, markerUntilNow: null };
  const total = snapshot.usage.find(isOwn) ?? { contractId, periodIdx: idx, slug, ...none };
  const used = { ...total, units: text(dec(total.units).plus(more)), events: total.events + 1 };
  return { ...snapshot, usage: [...snapshot.usage.filter((one) => !isOwn(one)), used] };
}
