import type { Instant } from '../../calendar/instant.ts';
import { NOTHING } from '../../calendar/ratio.ts';
import type { Charge } from '../../invoice/charge.ts';
import { nextPart } from '../../invoice/parts.ts';
import type { BilledParts } from '../../invoice/types.ts';
import { unitsAlone } from '../../pricing/units-alone.ts';
import { freedomIn } from '../period/cycles-left.ts';
import { type Source, usageSources } from '../period/sources.ts';
import type { ContractSnapshot, UsagePeriod } from '../types.ts';
import { dueWhenMade } from './charges.ts';
import { type CountedPart, countedPart } from './counted-part.ts';

/**
 * The usage of a period that closes: a charge for each usage price, even without usage, since minimum and flat fee are
 * due anyway. The free trial, period 0, is never charged, nor is what goes on in the contract that follows. What was
 * charged before the period closed is taken off.
 *
 * @param period as it was before it closes; one without an end is charged up to `at`, for all of its time
 * @param snapshot the contract with what was counted in the period and in the parts before it
 * @example
 * const story = signs('2025-06-01', plan('pro', { features: { calls: usage('1') } }));
 * story.uses('2025-06-10', 'calls', '350');
 * const { snapshot } = workOn(story, '2025-06-16');
 * usageCharges(snapshot, snapshot.periods[0], at('2025-06-16')).map(({ units }) => units) // ['350']
 */
export function usageCharges(snapshot: ContractSnapshot, period: UsagePeriod, at: Instant): Charge[] {
  return sourcesOfPeriod(snapshot, period).map((source) => {
    const counted = countedIn(snapshot, period, source);
    const billed = billedIn(snapshot, counted, source);
    const charge = chargeOf(snapshot, period, source, counted, { start: counted.start, end: period.until ?? at }, at);
    return billed.length === 0 ? charge : { ...charge, inParts: { billed, soFar: false } };
  });
}

/**
 * What charges come of several periods. Each looks at its own totals alone: periods that only a caller closes may be
 * thousands, and to look for each total among those of all would take their square.
 *
 * @param chargesOf the charges of one period, from the contract with what was counted in it
 * @example
 * const story = signs('2025-06-01', plan('pro', { features: { calls: usage('1') } }));
 * story.uses('2025-06-10', 'calls', '350');
 * const { snapshot } = workOn(story, '2025-06-16');
 * const now = at('2025-06-16');
 * chargesOfEach(snapshot, snapshot.periods, (own, period) => usageCharges(own, period, now)).map(({ units }) => units) // ['350']
 */
export function chargesOfEach(
  snapshot: ContractSnapshot,
  periods: readonly UsagePeriod[],
  chargesOf: (own: ContractSnapshot, period: UsagePeriod) => Charge[],
): Charge[] {
  const ofPeriod = usageOfEach(snapshot);
  return periods.flatMap((period) => chargesOf(ofPeriod(period), period));
}

/** A contract with what was counted in one of its periods, and charged of it before. */
export function usageOfEach(snapshot: ContractSnapshot): (period: UsagePeriod) => ContractSnapshot {
  const usage = Map.groupBy(snapshot.usage, ({ periodIdx }) => periodIdx);
  const isOwn = ({ contractId }: BilledParts): boolean => contractId === snapshot.contract.id;
  const before = snapshot.billed.filter((parts) => !isOwn(parts));
  const billed = Map.groupBy(snapshot.billed.filter(isOwn), ({ periodIdx }) => periodIdx);
  return ({ idx }) => ({ ...snapshot, usage: usage.get(idx) ?? [], billed: [...before, ...(billed.get(idx) ?? [])] });
}

/**
 * The usage of an open period so far, less what was charged of it before. The price's own fee and its minimum are owed
 * for the period and wait for its end; tiers' fees are part of the price of units.
 *
 * @example
 * const story = signs('2025-06-01', plan('pro', { features: { calls: usage('1', { flatFee: '31' }) } }));
 * story.uses('2025-06-10', 'calls', '350');
 * const { snapshot } = workOn(story, '2025-06-16');
 * const charges = usageSoFar(snapshot, snapshot.periods[0], at('2025-06-16'));
 * chargeLines(charges, context()).map(({ subtotal }) => subtotal) // ['350.00']
 */
export function usageSoFar(snapshot: ContractSnapshot, period: UsagePeriod, at: Instant): Charge[] {
  return sourcesOfPeriod(snapshot, period).map((source) => sourceSoFar(snapshot, period, source, at));
}

/** The charge of one of these sources, in the same way. */
export function sourceSoFar(snapshot: ContractSnapshot, period: UsagePeriod, source: Source, at: Instant): Charge {
  const counted = countedIn(snapshot, period, source);
  const billed = billedIn(snapshot, counted, source);
  const span = { start: counted.start, end: Math.max(counted.start, Math.min(at, period.until ?? at)) };
  const charge = chargeOf(snapshot, period, { ...source, price: unitsAlone(source.price) }, { ...counted, ratio: NOTHING }, span, at);
  return { ...charge, chargeKey: `${charge.chargeKey}:${nextPart(charge, billed)}`, inParts: { billed, soFar: true } };
}

/** The usage prices that a period charges: none in the free trial, nor what goes on in the contract that follows. */
export function sourcesOfPeriod({ contract }: ContractSnapshot, period: UsagePeriod): Source[] {
  return period.idx === 0 ? [] : usageSources(contract.terms).filter(({ source }) => !period.goesOn.includes(source));
}

const countedIn = ({ contract, usage, earlier, customer }: ContractSnapshot, period: UsagePeriod, source: Source): CountedPart =>
  countedPart({ contract, period, usage }, earlier, source, customer.pauses);

/** What was charged before of the periods that are counted as one. */
const billedIn = ({ billed }: ContractSnapshot, { places }: CountedPart, { source }: Source): BilledParts[] =>
  billed.filter(
    (parts) => parts.source === source && places.some(({ contractId, idx }) => parts.contractId === contractId && parts.periodIdx === idx),
  );

function chargeOf(
  { contract }: ContractSnapshot,
  period: UsagePeriod,
  source: Source,
  { units, events, began, ratio }: CountedPart,
  span: { start: Instant; end: Instant },
  at: Instant,
): Charge {
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
    span,
    dueDate: dueWhenMade(contract, at),
    schedulingPolicy: 'immediate',
    periodIdx: period.idx,
    discountable: false,
    ...freedomIn(contract, period.idx, source, false),
  };
}
