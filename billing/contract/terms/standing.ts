import { isPeriodic } from '../../calendar/cycle.ts';
import { DAY, type Instant, iso } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { boundary, customRhythm, indexOf, type Rhythm } from '../../calendar/rhythm.ts';
import type { CarriedCredits } from '../../credit/types.ts';
import { minorDigits } from '../../money/currency.ts';
import { dec } from '../../money/decimal.ts';
import { moneyText } from '../../money/round.ts';
import { BillingError, type FieldProblem } from '../../problem.ts';
import type { Contract } from '../types.ts';

/** How far ahead prices may be billed, in milliseconds: each occurrence is a line, which every change reads. */
const MOST_AHEAD = 5 * 366 * DAY;

/** Where a contract stands that another system has billed so far. */
export interface ImportStanding {
  /** the instant from which its boundaries are counted; null in a free trial, whose end it is */
  anchor: Instant | null;
  /** the boundary up to which its cycles are billed; null in a trial, and for `once` and `constant` */
  billedUntil: Instant | null;
  /** up to when month, quarter and year prices are billed; null: as far as its cycles */
  customBilledUntil: Instant | null;
  /** when the trial ends that it is in; null without one */
  trialEnd: Instant | null;
  /** cycles from `billedUntil` on that the discount still applies to; null: as if it was given at the anchor */
  discountCyclesLeft: number | null;
  /** cycles from `billedUntil` on that are still free; null: as if they were counted from the anchor */
  freeCyclesLeft: number | null;
  /** what is left of the credits that came with the cycle that runs; null or absent: it has brought none */
  creditsLeft?: string | null;
}

/**
 * A contract that was just signed, as it goes on from where another system has billed it. The cycle that runs has been
 * billed there: it becomes the contract's first period, and nothing is charged for it. Where all billed cycles have
 * ended, the first period is the one that begins at `billedUntil`. Boundaries, and used free and discount cycles, count
 * from the anchor; usage counts from the import.
 *
 * @param contract as `planSigning` makes it, activated now
 * @param pauses the customer's freezes so far: they have moved the boundaries
 * @throws BillingError for a `billedUntil` that is no boundary, or the end of a cycle that has not begun; for a trial
 * that has ended, and for counts that aren't whole numbers
 * @example
 * const { contract } = planSigning(signRequest(plan('pro', { price: '100' })), at('2025-03-10'), { newId });
 * const standing = standsAt('2024-01-31', '2025-03-31', { freeCyclesLeft: 2 });
 * const imported = goingOn(contract, standing, at('2025-03-10'), []);
 * periodBounds(imported, 1, []) // { start: at('2025-02-28'), end: at('2025-03-31') }
 * [imported.cyclesBefore, imported.freeCycles] // [13, 16]
 */
export function goingOn(contract: Contract, standing: ImportStanding, now: Instant, pauses: Pause[]): Contract {
  const problems = problemsOf(contract, standing, now, pauses);
  if (problems.length > 0) throw new BillingError(problems);
  if (standing.trialEnd !== null) return inTrial(contract, standing, standing.trialEnd, now);
  const rhythm = rhythmFrom(contract, standing, pauses);
  const billed = billedCycles(rhythm, standing);
  const isRunning = standing.billedUntil === null || standing.billedUntil > now;
  const passed = isRunning ? billed - 1 : billed;
  return {
    ...contract,
    ...cyclesAhead(contract, standing, { passed, billed }),
    activation: isRunning ? now : standing.billedUntil,
    trialDays: 0,
    trialEnd: null,
    start: rhythm.start,
    firstCycle: passed,
    cyclesBefore: passed,
    currentIdx: isRunning ? 1 : null,
    carried: { ...contract.carried, ...(isRunning ? creditsSoFar(contract.terms, standing) : {}) },
    customCharged: customCharged(rhythm, (standing.customBilledUntil ?? standing.billedUntil ?? now + 1) - 1),
  };
}

/**
 * The cycle that runs has got its credits in the other system, of which something may be left; or it has got none, so
 * that a change takes none of it back.
 */
function creditsSoFar({ pricingId, credits }: Contract['terms'], { creditsLeft = null }: ImportStanding): CarriedCredits {
  if (!credits) return {};
  const none = { creditsGiven: '0', creditsMissed: { pricingId, amount: credits.amount } };
  return creditsLeft === null ? none : { creditsElsewhere: creditsLeft };
}

/** The trial ends at its instant, however many whole days that are. */
function inTrial(contract: Contract, standing: ImportStanding, trialEnd: Instant, now: Instant): Contract {
  const ahead = cyclesAhead(contract, standing, { passed: 0, billed: 0 });
  return { ...contract, ...ahead, activation: now, trialDays: Math.ceil((trialEnd - now) / DAY), trialEnd };
}

/** What is left of free and discount cycles, in cycles of the chain: those that have ended count as its first ones. */
function cyclesAhead(
  { freeCycles, discount }: Contract,
  { freeCyclesLeft, discountCyclesLeft }: ImportStanding,
  { passed, billed }: { passed: number; billed: number },
): Pick<Contract, 'freeCycles' | 'discount'> {
  const free = freeCyclesLeft === null ? freeCycles : freeCyclesLeft === 0 ? 0 : billed + freeCyclesLeft;
  if (discount === null || discountCyclesLeft === null) return { freeCycles: free, discount };
  // the cycle that runs was billed with the discount
  const duration = discountCyclesLeft + billed - passed;
  return { freeCycles: free, discount: duration === 0 ? null : { ...discount, cyclesBefore: passed, duration } };
}

const rhythmFrom = ({ terms, offset }: Contract, { anchor }: ImportStanding, pauses: Pause[]): Rhythm => ({
  start: anchor ?? 0,
  cycle: terms.cycle,
  offset,
  pauses,
});

/** How many cycles have been billed since the anchor; the one cycle of `once` and `constant` has been. */
const billedCycles = (rhythm: Rhythm, { billedUntil }: ImportStanding): number => (billedUntil === null ? 1 : indexOf(rhythm, billedUntil));

/** The month, quarter and year charges that have begun by an instant. */
function customCharged({ start, pauses }: Rhythm, until: Instant): Contract['customCharged'] {
  const begun = (trigger: 'month' | 'quarter' | 'year'): number => indexOf(customRhythm(start, trigger, pauses), until);
  return { month: begun('month'), quarter: begun('quarter'), year: begun('year') };
}

function problemsOf(contract: Contract, standing: ImportStanding, now: Instant, pauses: Pause[]): FieldProblem[] {
  const problems = [...checkCounts(contract, standing), ...checkCredits(contract, standing, now)];
  const { expiration } = contract;
  if (expiration !== null && expiration.at <= now)
    problems.push({ field: 'expiration', code: 'past_date', message: 'give an instant from now on, or leave the contract out' });
  if (standing.customBilledUntil !== null && standing.customBilledUntil < now)
    problems.push({ field: 'custom_billed_until', code: 'past_date', message: 'give an instant from now on, or leave it out' });
  if (standing.customBilledUntil !== null && standing.customBilledUntil > now + MOST_AHEAD)
    problems.push({ field: 'custom_billed_until', code: 'too_far', message: 'give an instant at most five years ahead' });
  if (standing.trialEnd === null) return [...problems, ...checkBilled(contract, standing, now, pauses)];
  if (standing.trialEnd <= now)
    problems.push({ field: 'trial_end', code: 'past_date', message: 'leave it out, and give the anchor: the trial has ended' });
  for (const [field, at] of [
    ['anchor', standing.anchor],
    ['billed_until', standing.billedUntil],
    ['custom_billed_until', standing.customBilledUntil],
  ] as const)
    if (at !== null && at !== standing.trialEnd)
      problems.push({ field, code: 'not_the_trial_end', message: 'leave it out in a trial: cycles begin at the end of the trial' });
  return problems;
}

function checkBilled(contract: Contract, standing: ImportStanding, now: Instant, pauses: Pause[]): FieldProblem[] {
  const { anchor, billedUntil } = standing;
  if (anchor === null) return [{ field: 'anchor', code: 'required', message: 'give the instant from which the cycles are counted' }];
  if (anchor > now) return [{ field: 'anchor', code: 'future_date', message: 'give an instant up to now; in a trial give trial_end' }];
  if (!isPeriodic(contract.terms.cycle)) {
    if (billedUntil === null) return [];
    const message = `leave it out: a ${contract.terms.cycle} contract is paid for as a whole`;
    return [{ field: 'billed_until', code: 'not_allowed', message }];
  }
  if (billedUntil === null) return [{ field: 'billed_until', code: 'required', message: 'give the end of the last cycle that is billed' }];
  return checkBoundary(rhythmFrom(contract, standing, pauses), billedUntil, now);
}

function checkBoundary(rhythm: Rhythm, billedUntil: Instant, now: Instant): FieldProblem[] {
  const field = 'billed_until';
  if (billedUntil < rhythm.start) return [{ field, code: 'before_anchor', message: 'give an instant from the anchor on' }];
  const [n, runs] = [indexOf(rhythm, billedUntil), indexOf(rhythm, now)];
  const [before, after] = [boundary(rhythm, n), boundary(rhythm, n + 1)];
  if (before !== billedUntil) {
    const near = [before, after].flatMap((at) => (at === null ? [] : iso(at))).join(' or ');
    return [{ field, code: 'no_boundary', message: `give ${near}: the cycles counted from the anchor end there` }];
  }
  if (n <= runs + 1) return [];
  const end = boundary(rhythm, runs + 1);
  const message = `give ${end === null ? 'the end of the cycle that runs' : `${iso(end)}, where the cycle that runs ends`}: no later one can be billed yet`;
  return [{ field, code: 'not_begun', message }];
}

function checkCredits({ terms }: Contract, { creditsLeft = null, billedUntil }: ImportStanding, now: Instant): FieldProblem[] {
  if (creditsLeft === null) return [];
  const field = 'credits_left';
  const { credits, currency } = terms;
  if (!credits) return [{ field, code: 'not_allowed', message: 'leave it out: the plan gives no credits' }];
  if (billedUntil === null || billedUntil <= now)
    return [
      {
        field,
        code: 'not_allowed',
        message: 'leave it out: no cycle runs that is billed already, and the next one brings its own credits',
      },
    ];
  const digits = minorDigits(currency);
  if (dec(creditsLeft).decimalPlaces() > digits)
    return [{ field, code: 'too_many_digits', message: `give at most ${digits} digits after the decimal point` }];
  if (dec(creditsLeft).lte(dec(credits.amount))) return [];
  const message = `give at most ${moneyText(dec(credits.amount), currency)}, which the plan gives with a cycle; others are granted by POST /v1/c/credit_grant`;
  return [{ field, code: 'too_much', message }];
}

function checkCounts(
  { discount, freeCycles }: Pick<Contract, 'discount' | 'freeCycles'>,
  { discountCyclesLeft, freeCyclesLeft }: ImportStanding,
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const isWrong = (count: number | null): boolean => count !== null && !(Number.isSafeInteger(count) && count >= 0);
  if (isWrong(discountCyclesLeft) || (discountCyclesLeft !== null && discount === null)) {
    const message = discount === null ? 'give the discount_id too' : 'give a whole number of cycles from 0';
    problems.push({ field: 'discount_cycles_left', code: 'invalid_count', message });
  }
  if (isWrong(freeCyclesLeft) || !Number.isSafeInteger(freeCycles))
    problems.push({ field: 'free_cycles_left', code: 'invalid_count', message: 'give a whole number of cycles from 0' });
  return problems;
}
