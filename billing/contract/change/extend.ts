import { isPeriodic } from '../../calendar/cycle.ts';
import type { Instant } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { customRhythm, indexOf, type Period, spanRatio } from '../../calendar/rhythm.ts';
import { readDerivation } from '../../explain/explain-line.ts';
import type { Charge } from '../../invoice/charge.ts';
import type { ChargedLine } from '../../invoice/types.ts';
import type { Price } from '../../pricing/price.ts';
import { customCharges, recurringCharges } from '../charge/charges.ts';
import { charge } from '../charge/close.ts';
import { earlier, knownEnd, paidBounds, paidShare } from '../period/known-end.ts';
import { recurringSources, type Source, triggeredSources } from '../period/sources.ts';
import { CUSTOM_TRIGGERS, type CustomTrigger, customBounds, movedSpan } from '../period/time.ts';
import { samePrice } from '../terms/terms.ts';
import type { Contract } from '../types.ts';
import type { Work } from '../work.ts';
import { giveBack } from './give-back.ts';

/** A price that a change charged only up to an end of the contract that has since been taken back or moved. */
interface Open {
  source: Source;
  trigger: CustomTrigger | null;
  /** the time to charge now */
  span: Period & { end: Instant };
  isCut: boolean;
}

/** A line that pays for a price, where freezes have moved its span. */
interface Paying extends Period {
  line: ChargedLine;
  end: Instant;
  isCut: boolean;
}

/**
 * After a cancellation was taken back or moved to a later instant: what changes had charged up to the end that was
 * known then is charged further, up to the natural end or the end that is known now. What old prices had been charged
 * for that time is given back, even where no new price replaces them, or one with shorter cycles does.
 *
 * @example
 * const story = signs('2025-06-01', plan('pro', { price: '30' }));
 * const request = { when: { type: 'date', date: at('2025-06-21') }, credit: false, notes: null };
 * story.does('2025-06-05', (snapshot, now, newId) => planCancellation(snapshot, request, now, newId));
 * changes(story, '2025-06-11', toPlan(plan('max', { price: '300' })));
 * invoicesOf(story).at(-1) // '2025-06-11 90.00: credit plan -10.00, plan 100.00'
 * const work = workOn(story, '2025-06-15');
 * amend(work, { cancellation: null });
 * extend(work, at('2025-06-15'));
 * work.fresh.map(({ subtotal }) => subtotal) // ['-10.00', '100.00']
 */
export function extend(work: Work, at: Instant): void {
  const open = openAt(work, at);
  for (const one of open) giveBackRest(work, at, one);
  giveBackReplaced(work, at, open);
  const { contract } = work.snapshot;
  const charges = open.flatMap((one) => chargesOf(work, contract, at, one));
  charge(work, contract, charges, periodOf(contract));
}

/** The period that runs; before the first nothing has been charged that could go on. */
const periodOf = ({ currentIdx }: Contract): number => currentIdx ?? 1;

function openAt({ snapshot }: Work, at: Instant): Open[] {
  const { contract, running, customer } = snapshot;
  const end = knownEnd(contract, customer.pauses);
  return sources(contract).flatMap(([source, trigger]): Open[] => {
    const last = payingLines(running, source, at, { contract, pauses: customer.pauses }).at(-1);
    if (!last?.isCut) return [];
    const natural = naturalEnd(contract, trigger, at, customer.pauses);
    const to = earlier(natural, natural && end);
    return to === null || to <= last.end ? [] : [{ source, trigger, span: { start: last.end, end: to }, isCut: to !== natural }];
  });
}

function sources({ terms }: Contract): [Source, CustomTrigger | null][] {
  const custom = CUSTOM_TRIGGERS.flatMap((trigger) =>
    triggeredSources(terms, trigger).map((one): [Source, CustomTrigger] => [one, trigger]),
  );
  return [...recurringSources(terms).map((one): [Source, null] => [one, null]), ...custom];
}

/** The lines that pay for a source from now on, each beginning where the last one ends; empty where there are none. */
function payingLines(
  running: readonly ChargedLine[],
  { source, price }: Source,
  at: Instant,
  { contract: { carried }, pauses }: { contract: Contract; pauses: Pause[] },
): Paying[] {
  const [isLost, goesOn] = [new Set(carried.lost), new Set(carried.goesOn)];
  const rankOf = ({ line, isCut }: Paying): number => (isCut ? 2 : Number(!goesOn.has(line.id)));
  const lines = running.flatMap((line): Paying[] => {
    const span = line.source === source && line.rest === undefined && !isLost.has(line.id) ? movedSpan(line, pauses) : null;
    return span?.end == null ? [] : [{ line, start: span.start, end: span.end, isCut: line.derivation.cut === true }];
  });
  // of two that begin at the same instant the cut one is the later: a line of zero is not given back. Where none is cut
  // it is the difference, and not the line that goes on beside it
  const latest = lines.filter(({ start }) => start <= at).sort((a, b) => a.start - b.start || rankOf(a) - rankOf(b));
  const chain: Paying[] = [];
  for (let last = latest.at(-1); last !== undefined; last = next(lines, last, price)) chain.push(last);
  return chain;
}

function next(lines: readonly Paying[], { end }: Paying, price: Price): Paying | undefined {
  return lines.find(({ line, start }) => start === end && samePrice(chargedPrice(line), price));
}

function chargedPrice({ derivation }: ChargedLine): Price | null {
  const charge = readDerivation(derivation);
  return charge.type === 'charge' ? charge.price.price : null;
}

function naturalEnd(contract: Contract, trigger: CustomTrigger | null, at: Instant, pauses: Pause[]): Instant | null {
  if (trigger === null) return paidBounds(contract, periodOf(contract), pauses).end;
  return customBounds(contract, trigger, occurrenceAt(contract, trigger, at, pauses), pauses).end;
}

function occurrenceAt({ start }: Contract, trigger: CustomTrigger, at: Instant, pauses: Pause[]): number {
  return indexOf(customRhythm(start ?? at, trigger, pauses), at);
}

/**
 * Gives back what older lines charged for the time that is charged again, and after it up to the end that is known now:
 * the next cycle is charged whole.
 */
function giveBackRest(work: Work, at: Instant, { source, span }: Open): void {
  const { contract, customer } = work.snapshot;
  giveBack(work, contract, at, { only: new Set([source.source]), from: span.start, until: knownEnd(contract, customer.pauses) });
}

/**
 * Gives back what was charged for prices that a change removed, up to the end that is known now, where nothing is
 * charged in their place.
 */
function giveBackReplaced(work: Work, at: Instant, open: readonly Open[]): void {
  const { snapshot } = work;
  const { contract, customer } = snapshot;
  const rechargedSources = new Set(open.map(({ source }) => source.source));
  const paying = new Set(
    sources(contract).flatMap(([source]) =>
      payingLines(snapshot.running, source, at, { contract, pauses: customer.pauses }).map(({ line }) => line.id),
    ),
  );
  const goesOn = new Set(contract.carried.goesOn);
  const isReplaced = ({ id, source }: ChargedLine): boolean => !paying.has(id) && !rechargedSources.has(source) && !goesOn.has(id);
  const running = snapshot.running.filter(isReplaced);
  work.snapshot = { ...snapshot, running };
  giveBack(work, contract, at, { until: knownEnd(contract, customer.pauses) });
  work.snapshot = snapshot;
}

function chargesOf({ snapshot }: Work, contract: Contract, at: Instant, { source, trigger, span, isCut }: Open): Charge[] {
  const { pauses } = snapshot.customer;
  const idx = periodOf(contract);
  const keyed = (made: Charge[]): Charge[] =>
    made.filter((one) => one.source === source.source).map((one) => ({ ...one, chargeKey: `rest:${span.start}:${one.source}`, setAt: at }));
  if (trigger === null) {
    const ratio = paidShare(contract, idx, span.start, span.end, pauses);
    return keyed(recurringCharges(contract, { at, span, ratio, idx, isCut }, isPeriodic(contract.terms.cycle)));
  }
  const k = occurrenceAt(contract, trigger, at, pauses);
  const ratio = spanRatio(customRhythm(contract.start ?? at, trigger, pauses), k, span.start, span.end);
  return keyed(customCharges(contract, trigger, k, { at, span, ratio, idx, isCut }, true));
}
