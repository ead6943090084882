import type { Instant } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { customRhythm, indexOf } from '../../calendar/rhythm.ts';
import type { Occurrence } from '../../explain/derivation.ts';
import { type Source, sourcesOf, triggeredSources } from '../period/sources.ts';
import { CUSTOM_TRIGGERS, customBounds, movedSpan } from '../period/time.ts';
import { samePrice } from '../terms/terms.ts';
import type { Contract } from '../types.ts';
import type { Work } from '../work.ts';

interface Between {
  old: Contract;
  fresh: Contract;
  at: Instant;
  time: 'now' | 'later';
  pauses: Pause[];
}

/**
 * The last paid occurrence of each month, quarter and year price that another system billed ahead, beyond the running
 * occurrence, and that the change leaves as it is; by source. Occurrences are counted from the contract's start, so
 * there are none if the change moves the start.
 *
 * @param stopped ids of lines that the change gives back, or whose time is lost
 * @returns null where there are none
 */
export function keptAhead(
  work: Work,
  { old, fresh, at, time, pauses }: Between,
  stopped: ReadonlySet<string>,
): Record<string, number> | null {
  const { start } = old;
  const isAnyAhead = old.carried.chargedAhead !== undefined || work.snapshot.running.some(({ elsewhere }) => elsewhere);
  if (!isAnyAhead || start === null || fresh.start !== start) return null;
  const sold = sourcesOf(old.terms);
  const stoppedSources = new Set(work.snapshot.running.flatMap(({ id, source }) => (stopped.has(id) ? [source] : [])));
  const kept = sourcesOf(fresh.terms).flatMap(({ source, trigger: named, price }): [string, number][] => {
    const trigger = CUSTOM_TRIGGERS.find((one) => one === named);
    const before = sold.find((one) => one.source === source && one.trigger === trigger);
    if (trigger === undefined || stoppedSources.has(source) || !before || !samePrice(before.price, price)) return [];
    const k = indexOf(customRhythm(start, trigger, pauses), at);
    const last = lastPaid(work, old, before);
    const isDueNow = time === 'later' && customBounds(old, trigger, k, pauses).start === at;
    return last > k || (last === k && isDueNow) ? [[source, last]] : [];
  });
  return kept.length === 0 ? null : Object.fromEntries(kept);
}

/** The last paid occurrence of a source: by the contract's own lines, and by what it took over from its predecessor. */
function lastPaid({ snapshot }: Work, { id, carried }: Contract, { source }: Source): number {
  const own = snapshot.running
    .filter((line) => line.elsewhere === true && line.contractId === id && line.source === source)
    .map(({ derivation }) => (derivation.occurrence as Occurrence | undefined)?.k ?? -1);
  return Math.max(carried.chargedAhead?.[source] ?? -1, ...own);
}

/**
 * Up to which instant lines that another system billed ahead are given back, if the contract has a known end within
 * them: up to the end of its last occurrence, since the contract itself charges each occurrence that begins before its
 * end as a whole.
 *
 * @param contract the one that charges instead
 * @param until the known end of the contract; null = none
 * @returns an instant for each line, by id; empty where the contract charges nothing after its running occurrence
 * @example
 * const sup = (amount) => plan('p', { features: { sup: ['quarter', price(amount)] } });
 * const standing = standsAt('2025-01-07', '2025-04-07', { customBilledUntil: at('2025-07-07') });
 * const work = workOn(signs('2025-03-10', sup('45'), { standing }), '2025-03-12');
 * const [running, ahead] = work.snapshot.running.filter(({ kind }) => kind === 'custom');
 * const until = chargedUntil(work, work.snapshot.contract, at('2025-03-12'), at('2025-05-07'));
 * [until.get(running.id), until.get(ahead.id)] // [undefined, at('2025-07-07')]
 */
export function chargedUntil({ snapshot }: Work, contract: Contract, at: Instant, until: Instant | null): ReadonlyMap<string, Instant> {
  const { pauses } = snapshot.customer;
  const { start } = contract;
  if (until === null || start === null) return new Map();
  const ahead = snapshot.running.filter(
    (line) => line.elsewhere === true && line.kind === 'custom' && (movedSpan(line, pauses)?.start ?? at) >= at,
  );
  if (ahead.length === 0) return new Map();
  const ends = CUSTOM_TRIGGERS.flatMap((trigger): [string, Instant][] => {
    const rhythm = customRhythm(start, trigger, pauses);
    const last = indexOf(rhythm, until - 1);
    const { end } = customBounds(contract, trigger, last, pauses);
    const isLater = last > indexOf(rhythm, at) && end !== null;
    return isLater ? triggeredSources(contract.terms, trigger).map(({ source }) => [source, end]) : [];
  });
  const endOf = new Map(ends);
  return new Map(
    ahead.flatMap(({ id, source }): [string, Instant][] => {
      const end = endOf.get(source);
      return end === undefined ? [] : [[id, end]];
    }),
  );
}
