import { isPeriodic } from '../../calendar/cycle.ts';
import { DAY, type Instant } from '../../calendar/instant.ts';
import { FULL, type Ratio } from '../../calendar/ratio.ts';
import type { Period } from '../../calendar/rhythm.ts';
import type { ChargeDerivation } from '../../explain/derivation.ts';
import type { Charge } from '../../invoice/charge.ts';
import type { ChargedLine, Line } from '../../invoice/types.ts';
import { boughtUnits, type ChargeTrigger } from '../../pricing/price.ts';
import { freedomIn } from '../period/cycles-left.ts';
import { recurringSources, type Source, triggeredSources } from '../period/sources.ts';
import { type CustomTrigger, chainCycle } from '../period/time.ts';
import type { Contract } from '../types.ts';

/** When a charge is made, what time it pays for, and how much of the whole natural period that is. */
interface Occasion {
  at: Instant;
  span: Period;
  ratio: Ratio;
  idx: number | null;
  /** the end of the natural period, where the span ends before it at a known end of the contract */
  naturalEnd?: Instant | null;
}

/**
 * When a line that follows no policy is due (usage, on demand, corrections): the contract's net days after it is made.
 *
 * @example
 * const contract = signs('2025-06-01', plan('pro'), { configuration: { netDays: 30 } }).contract();
 * dueWhenMade(contract, at('2025-06-01')) // at('2025-07-01')
 */
export function dueWhenMade({ configuration }: Pick<Contract, 'configuration'>, at: Instant): Instant {
  return at + configuration.netDays * DAY;
}

/**
 * When a line of a cycle or a change is due: the contract's net days after it is made; under `end_of_period` as many
 * days after the end of what it pays for, except with `once` and `constant`.
 *
 * @example
 * const configuration = { dueDatePolicy: 'end_of_period' };
 * const contract = signs('2025-01-01', plan('pro'), { configuration }).contract();
 * const january = { start: at('2025-01-01'), end: at('2025-02-01') };
 * dueByPolicy(contract, { at: january.start, span: january }) // at('2025-02-01')
 */
export function dueByPolicy(contract: Contract, { at, span }: Pick<Occasion, 'at' | 'span'>): Instant {
  const { configuration, terms } = contract;
  const isAtEnd = configuration.dueDatePolicy === 'end_of_period' && isPeriodic(terms.cycle);
  return dueWhenMade(contract, isAtEnd && span.end !== null ? span.end : at);
}

/**
 * Lines as an invoice of a date takes them up: what has waited for it is due with what is made then, at the earliest.
 *
 * @example
 * const contract = signs('2025-06-01', plan('pro'), { configuration: { netDays: 14 } }).contract();
 * const lines = chargeLines([charge(price('40'), { dueDate: at('2025-06-15') })], context());
 * dueOnInvoice(contract, lines, at('2025-06-20'))[0].dueDate // at('2025-07-04')
 */
export function dueOnInvoice<T extends Pick<Line, 'dueDate'>>(
  contract: Pick<Contract, 'configuration'>,
  lines: readonly T[],
  date: Instant,
): T[] {
  const earliest = dueWhenMade(contract, date);
  return lines.map((line) => (line.dueDate < earliest ? { ...line, dueDate: earliest } : line));
}

/**
 * The recurring charges of a period, or of the rest of it after a change. Their keys name the chain cycle, or the
 * change.
 *
 * @param isChange the charges pay for the rest of a period
 */
export function recurringCharges(contract: Contract, occasion: Occasion & { idx: number }, isChange: boolean): Charge[] {
  const cycle = chainCycle(contract, occasion.idx);
  return recurringSources(contract.terms).map((source) => ({
    ...base(contract, source, occasion, isChange),
    chargeKey: isChange ? `change:${source.source}` : `cycle:${cycle}:${source.source}`,
    kind: 'recurring',
    discountable: true,
    ...freedomIn(contract, occasion.idx, source, true),
  }));
}

/** The `first_cycle` charges: once and in full. They have no span, so no change gives them back. */
export function firstCharges(contract: Contract, occasion: Occasion & { idx: number }): Charge[] {
  return triggeredSources(contract.terms, 'first_cycle').map((source) => ({
    ...base(contract, source, { ...occasion, ratio: FULL }, false),
    chargeKey: `first:${source.source}`,
    kind: 'one_off',
    span: null,
    discountable: false,
    ...freedomIn(contract, occasion.idx, source, false),
  }));
}

/**
 * The charges of one occurrence of a month, quarter or year trigger, or of the rest of it after a change.
 *
 * @param k occurrences before it; 0 is the one at the anchor
 * @param isChange the charges pay for the rest of an occurrence
 */
export function customCharges(contract: Contract, trigger: CustomTrigger, k: number, occasion: Occasion, isChange: boolean): Charge[] {
  return triggeredSources(contract.terms, trigger).map((source) => ({
    ...base(contract, source, occasion, isChange),
    chargeKey: isChange ? `change:${source.source}` : `custom:${trigger}:${k}:${source.source}`,
    kind: 'custom',
    discountable: false,
    ...freedomIn(contract, contract.currentIdx ?? 1, source, false),
  }));
}

/** Whether an occurrence of a month, quarter or year price is paid since before a change: another system billed it. */
export const isChargedAhead = ({ carried }: Contract, source: string, k: number): boolean => k <= (carried.chargedAhead?.[source] ?? -1);

/** The charges of an occurrence that falls due, whole. */
export function dueCustomCharges(contract: Contract, trigger: CustomTrigger, k: number, occasion: Occasion): Charge[] {
  return customCharges(contract, trigger, k, occasion, false).filter(({ source }) => !isChargedAhead(contract, source, k));
}

/**
 * The charge that goes on from the end of a line: at its price, its discount and its free cycles, whatever the contract
 * sells now.
 *
 * @param charged how the line was charged, and those that it goes on from
 */
export function restCharge(
  contract: Contract,
  { id, kind, source, name }: ChargedLine,
  charged: ChargeDerivation,
  occasion: Occasion & { span: { end: Instant } },
): Charge {
  const { price, units, cycle, free, freePart, discount } = charged;
  const { at, span, ratio, idx, naturalEnd } = occasion;
  return {
    contractId: contract.id,
    chargeKey: `rest:${id}:${at}`,
    kind,
    source,
    name,
    price: price.price,
    ...(cycle ? { cycle } : {}),
    units,
    ratio,
    span,
    dueDate: dueByPolicy(contract, occasion),
    schedulingPolicy: schedulingOf(contract, true),
    periodIdx: idx,
    discountable: false,
    ownDiscount: discount,
    partBefore: charged.ratio.part + (charged.partBefore?.part ?? 0),
    free,
    ...(freePart ? { freePart } : {}),
    ...(naturalEnd == null ? {} : { naturalEnd }),
    setAt: at,
  };
}

/**
 * One charge of an on-demand feature.
 *
 * @param occasion distinguishes it from other charges of the same feature
 */
export function onDemandCharge(contract: Contract, source: Source, units: string, at: Instant, occasion: string): Charge {
  return {
    ...base(contract, source, { at, span: { start: at, end: null }, ratio: FULL, idx: contract.currentIdx }, false),
    chargeKey: `on_demand:${occasion}:${source.source}`,
    kind: 'on_demand',
    units,
    span: null,
    dueDate: dueWhenMade(contract, at),
    schedulingPolicy: 'immediate',
    discountable: false,
    ...freedomIn(contract, contract.currentIdx ?? 1, source, false),
  };
}

type Base = Omit<Charge, 'chargeKey' | 'kind' | 'discountable' | 'free' | 'freePart'>;

function base(contract: Contract, { source, name, price, trigger }: Source, occasion: Occasion, isChange: boolean): Base {
  return {
    contractId: contract.id,
    source,
    name,
    price,
    ...cycleOf(contract, trigger),
    units: boughtUnits(price),
    ratio: occasion.ratio,
    span: occasion.span,
    dueDate: dueByPolicy(contract, occasion),
    schedulingPolicy: schedulingOf(contract, isChange),
    periodIdx: occasion.idx,
    ...(occasion.naturalEnd == null ? {} : { naturalEnd: occasion.naturalEnd }),
  };
}

/** The cycle that a price is for: the contract's, or the month, quarter or year of its own. */
function cycleOf({ terms }: Contract, trigger: ChargeTrigger): Pick<Charge, 'cycle'> {
  if (trigger === 'first_cycle' || trigger === 'on_demand') return {};
  return { cycle: trigger === 'every_cycle' ? terms.cycle : trigger };
}

function schedulingOf({ configuration, terms }: Contract, isChange: boolean): Line['schedulingPolicy'] {
  if (!isPeriodic(terms.cycle)) return 'immediate';
  if (configuration.dueDatePolicy === 'end_of_period') return 'end_of_period';
  return isChange ? 'immediate' : 'start_of_period';
}
