import type { Instant } from '../../calendar/instant.ts';
import { chargeLines } from '../../invoice/charge.ts';
import { type Decimal, dec, sum } from '../../money/decimal.ts';
import { closesByCall } from '../period/periods.ts';
import { reportedSources, type Source } from '../period/sources.ts';
import type { ContractSnapshot, UsagePeriod } from '../types.ts';
import { MOST_LEFT_WITH_ROOM, mostUnits, type UsageRoom, withMore } from './most-units.ts';
import { begunPeriods, mayInvoiceEarly, openUsageOf } from './threshold.ts';
import { sourceSoFar, sourcesOfPeriod, usageOfEach } from './usage-charges.ts';

/**
 * How many more units of each feature can be used without the contract's open usage coming to its invoice threshold,
 * whatever is used of the others: each usage price of each period that has room gets the same share of the money that
 * is left, and room for as many units as cost less than that. Prices never fall with more units where there is a
 * threshold (`checkThreshold`), so less usage than that costs less, too.
 *
 * The result holds until something of the contract other than its counted usage changes.
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
  const periods = periodsWithRoom(begunPeriods(snapshot));
  const ofPeriod = usageOfEach(snapshot);
  const priced = sum(periods.map((period) => dec(sourcesOfPeriod(snapshot, period).length)));
  return periods.flatMap((period) => {
    const counted = ofPeriod(period);
    const charged = new Map(sourcesOfPeriod(snapshot, period).map((source) => [source.source, source]));
    return reportedSources(contract.terms).flatMap(({ slug, source }): UsageRoom[] => {
      if (slug === null) return [];
      const own = charged.get(source);
      const units = own === undefined ? null : roomOf(counted, period, { source: own, share: left.div(priced), now });
      return [{ contractId: contract.id, idx: period.idx, slug, units }];
    });
  });
}

/** Of periods that only a caller closes the latest: usage of the others is looked at as it comes. */
function periodsWithRoom(open: readonly UsagePeriod[]): UsagePeriod[] {
  const waiting = open.filter(closesByCall).slice(-MOST_LEFT_WITH_ROOM);
  return [...waiting, ...open.filter((period) => !closesByCall(period))];
}

/** The most units found that cost less than a share of money; null: any number of units does. */
function roomOf(
  snapshot: ContractSnapshot,
  period: UsagePeriod,
  { source, share, now }: { source: Source; share: Decimal; now: Instant },
): string | null {
  const amount = (more: Decimal): Decimal => amountWith(snapshot, period, { source, more, now });
  const before = amount(dec('0'));
  return mostUnits((more) => amount(more).minus(before).lt(share));
}

function amountWith(
  snapshot: ContractSnapshot,
  period: UsagePeriod,
  { source, more, now }: { source: Source; more: Decimal; now: Instant },
): Decimal {
  const { contract, tax } = snapshot;
  const charge = sourceSoFar({ ...snapshot, usage: withMore(snapshot.usage, period, source.slug ?? '', more) }, period, source, now);
  const lines = chargeLines([charge], { currency: contract.terms.currency, tax, discount: null, newId: (prefix) => prefix });
  return sum(lines.map(({ subtotal }) => dec(subtotal)));
}
