import type { Instant } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { boundary, indexOf } from '../../calendar/rhythm.ts';
import { refuse } from '../../refusal.ts';
import { cycleEnd, rhythmCycle, rhythmOf, trialEndOf } from '../period/time.ts';
import type { ChangeRule } from '../terms/change-rules.ts';
import type { Contract, When } from '../types.ts';
import type { ChangeTime } from './change-request.ts';

/** What decides when a change takes effect. */
export interface Direction {
  isDowngrade: boolean;
  changesCurrency: boolean;
  downgradeAllowed: boolean;
  /** what the rule of this direction says where the caller says nothing */
  when: ChangeRule['when'];
}

/** Now, or at a later instant as far as that is known now. */
export type Timing = { type: 'now' } | { type: 'later'; when: When; at: Instant };

const FIELD = 'upgrade_configuration.activation';

/**
 * When a change takes effect: at the time that the caller asks for, else when the rule of its direction says. A
 * downgrade inside a cycle waits for that cycle's end unless its rule says `now` or the caller allows it. A change of
 * currency is possible only at a cycle's end. In a trial everything may happen at once.
 *
 * @throws Refusal `past_date`, `currency_change_mid_cycle`, `cycle_end_unknown`
 * @example
 * const contract = signs('2025-01-01', plan('pro', { price: '100' })).contract();
 * const direction = { isDowngrade: true, changesCurrency: false, downgradeAllowed: false, when: 'next_cycle' };
 * timingOf(contract, null, direction, at('2025-01-10'), []).at // at('2025-02-01')
 */
export function timingOf(contract: Contract, asked: ChangeTime | null, direction: Direction, now: Instant, pauses: Pause[]): Timing {
  const time = asked ?? byRule(direction);
  if (time.type === 'date' && time.date < now) refuse('past_date', 'give a date from now on', `${FIELD}.date`);
  if (time.type === 'next_cycle' && (asked !== null || contract.start !== null)) return atCycleEnd(contract, pauses);
  if (time.type === 'date' && time.date > now) return onDate(contract, time.date, direction, now, pauses);
  if (contract.start === null) return { type: 'now' };
  if (direction.changesCurrency) midCycle();
  if (waits(direction)) return atCycleEnd(contract, pauses);
  return { type: 'now' };
}

/** A change of currency has no direction, so no rule decides its time. */
function byRule({ when, changesCurrency, isDowngrade, downgradeAllowed }: Direction): ChangeTime {
  const isNow = when === 'now' || changesCurrency || (isDowngrade && downgradeAllowed);
  return { type: isNow ? 'immediate' : 'next_cycle' };
}

/** Whether a downgrade asked for inside a cycle waits for its end. */
function waits({ isDowngrade, downgradeAllowed, when }: Direction): boolean {
  return isDowngrade && !downgradeAllowed && when !== 'now';
}

function atCycleEnd(contract: Contract, pauses: Pause[]): Timing {
  const at = cycleEnd(contract, pauses);
  if (at === null) return unknownEnd();
  const n = rhythmCycle(contract, (contract.currentIdx ?? 0) + 1);
  return { type: 'later', when: { type: 'boundary', n }, at };
}

function onDate(contract: Contract, date: Instant, direction: Direction, now: Instant, pauses: Pause[]): Timing {
  const onTheDay: Timing = { type: 'later', when: { type: 'date', at: date, setAt: now }, at: date };
  const start = contract.start ?? trialEndOf(contract, pauses);
  if (start === null || date < start) return onTheDay;
  const rhythm = rhythmOf({ ...contract, start }, pauses);
  const n = indexOf(rhythm, date);
  if (boundary(rhythm, n) === date) return { type: 'later', when: { type: 'boundary', n }, at: date };
  if (direction.changesCurrency) midCycle();
  if (!waits(direction)) return onTheDay;
  return { type: 'later', when: { type: 'boundary', n: n + 1 }, at: boundary(rhythm, n + 1) ?? unknownEnd() };
}

function midCycle(): never {
  return refuse('currency_change_mid_cycle', 'the currency changes only at the end of a cycle; give activation next_cycle', FIELD);
}

function unknownEnd(): never {
  return refuse('cycle_end_unknown', 'the contract has no end of cycle to wait for; give downgrade_allowed, or another activation', FIELD);
}
