import type { Instant } from '../../calendar/instant.ts';
import { type Pause, pausesSince, shift } from '../../calendar/pauses.ts';
import { share } from '../../calendar/ratio.ts';
import { boundary } from '../../calendar/rhythm.ts';
import type { CreditsBeside, CreditsCut, PlanCredits, PlanGrant, Rollover } from '../../credit/types.ts';
import { type Decimal, dec, sum, ZERO } from '../../money/decimal.ts';
import { moneyText } from '../../money/round.ts';
import { earlier, paidBounds, paidShare } from '../period/known-end.ts';
import { rhythmCycle, rhythmOf } from '../period/time.ts';
import type { Contract } from '../types.ts';
import type { Work } from '../work.ts';

/**
 * The credits that a plan gives with a billing period as it begins; of a first one that is shorter, their share, as its
 * price is.
 *
 * @example
 * const credits = { amount: '50', expiresAfterCycles: 1, rolloverMaximum: '20' };
 * const work = workOn(signs('2025-01-01', plan('pro', { credits })), '2025-01-10');
 * grantCycle(work, { ...work.snapshot.contract, currentIdx: 2 }, 2, at('2025-02-01'));
 * work.grants.map(({ amount, expiresAt }) => [amount, expiresAt]) // [['50.00', at('2025-03-01')]]
 */
export function grantCycle(work: Work, contract: Contract, idx: number, at: Instant): void {
  const { credits } = contract.terms;
  if (!credits) return;
  const { pauses } = work.snapshot.customer;
  const { start, end } = paidBounds(contract, idx, pauses);
  addGrant(work, contract, { idx, at, amount: share(dec(credits.amount), paidShare(contract, idx, start, end, pauses)) });
}

/**
 * Gives credits of a contract's plan that last as long as those that came with the billing period.
 *
 * @param more they come after those of the period, not with them
 */
export function addGrant(
  work: Work,
  contract: Contract,
  { idx, at, amount, more = false }: { idx: number; at: Instant; amount: Decimal; more?: boolean },
): void {
  const { credits, currency } = contract.terms;
  const text = moneyText(amount, currency);
  if (!credits || !dec(text).gt(ZERO)) return;
  const ends = endsOf(contract, idx, credits, work.snapshot.customer.pauses);
  work.grants.push({ contractId: contract.id, idx: more ? null : idx, currency, amount: text, effectiveAt: at, ...ends });
}

/** When the credits of a period expire, and until when what is left of them lasts after that. */
function endsOf(contract: Contract, idx: number, credits: PlanCredits, pauses: Pause[]): Pick<PlanGrant, 'expiresAt' | 'rollover'> {
  const rhythm = rhythmOf(contract, pauses);
  const n = rhythmCycle(contract, idx);
  const until = boundary(rhythm, n + 2 * credits.expiresAfterCycles);
  const rollover: Rollover | null = credits.rolloverMaximum === null || until === null ? null : { maximum: credits.rolloverMaximum, until };
  return { expiresAt: boundary(rhythm, n + credits.expiresAfterCycles), rollover };
}

/**
 * The credits that belong to a contract's unused time; exact, not rounded: the part of the running period's, and of
 * those that lie beside them.
 *
 * @param until a known end of the contract, null = none
 * @example
 * const credits = { amount: '50', expiresAfterCycles: 1, rolloverMaximum: null };
 * const contract = signs('2025-06-01', plan('pro', { credits })).contract();
 * creditsAhead(contract, at('2025-06-16'), []).toFixed(2) // '25.00'
 */
export function creditsAhead(contract: Contract, at: Instant, pauses: Pause[], until: Instant | null = null): Decimal {
  return creditsInPeriod(contract, at, pauses, until).plus(creditsBeside(contract, at, pauses, until));
}

/**
 * The part of the running period's own credits that belongs to its unused time. Where a change has given them up to a
 * known end alone, what belongs to the time after it is that of the price before.
 *
 * @param until a known end of the contract, null = none
 * @example
 * const credits = { amount: '50', expiresAfterCycles: 1, rolloverMaximum: null };
 * const contract = signs('2025-06-01', plan('pro', { credits })).contract();
 * creditsInPeriod(contract, at('2025-06-16'), [], at('2025-06-22')).toFixed(2) // '10.00'
 */
export function creditsInPeriod(contract: Contract, at: Instant, pauses: Pause[], until: Instant | null = null): Decimal {
  const { currentIdx } = contract;
  if (currentIdx === null) return ZERO;
  const cut = cutNow(contract, pauses);
  const behind = cut === null ? ZERO : creditsBehind(cut, at, until);
  const bounds = paidBounds(contract, currentIdx, pauses);
  const end = earlier(earlier(bounds.end, cut?.at ?? null), bounds.end && until);
  const whole = creditsOfCycle(contract);
  if (whole.isZero() || (end !== null && at >= end)) return behind;
  return share(whole, paidShare(contract, currentIdx, Math.max(at, bounds.start), end, pauses)).plus(behind);
}

/**
 * The credits of a whole cycle that the running one has got: its plan's, or what a change has left as it was.
 *
 * @example
 * const credits = { amount: '50', expiresAfterCycles: 1, rolloverMaximum: null };
 * const contract = signs('2025-06-01', plan('pro', { credits })).contract();
 * creditsOfCycle(contract) // '50'
 * creditsOfCycle({ ...contract, carried: { ...contract.carried, creditsGiven: '20' } }) // '20'
 */
export function creditsOfCycle({ terms, carried, currentIdx }: Contract): Decimal {
  const own = terms.credits?.amount ?? '0';
  return dec(currentIdx === 1 ? (carried.creditsGiven ?? own) : own);
}

/**
 * The part of credits beside those of the running period that belongs to unused time.
 *
 * @param until a known end of the contract, null = none
 * @example
 * const beside = [{ amount: '30', setAt: at('2025-06-11'), end: at('2025-07-01') }];
 * creditsBeside({ carried: { lost: [], goesOn: [], waiting: [], creditsBeside: beside } }, at('2025-06-16'), []) // '22.5'
 */
export function creditsBeside(
  contract: Pick<Contract, 'carried'>,
  at: Instant,
  pauses: readonly Pause[],
  until: Instant | null = null,
): Decimal {
  return sum(besideNow(contract, pauses).map((one) => besideBetween(one, at, until)));
}

/** Credits beside those of the running period, with their ends as freezes have moved them. */
export function besideNow({ carried }: Pick<Contract, 'carried'>, pauses: readonly Pause[]): (CreditsBeside & { length: number })[] {
  return (carried.creditsBeside ?? []).map(({ amount, setAt, end }) => {
    const moved = shift(end, pausesSince(pauses, setAt)) ?? end;
    return { amount, setAt, end: moved, length: end - setAt };
  });
}

/**
 * What of credits beside those of the running period belongs to the time from an instant up to another one; null = all.
 *
 * @example
 * const [from, end] = [at('2025-06-11'), at('2025-07-01')];
 * besideBetween({ amount: '30', setAt: from, end, length: end - from }, at('2025-06-16'), at('2025-06-26')) // '15'
 */
export function besideBetween({ amount, end, length }: CreditsBeside & { length: number }, from: Instant, until: Instant | null): Decimal {
  const to = Math.min(until ?? end, end);
  return to > from ? share(dec(amount), { part: to - from, whole: length }) : ZERO;
}

/** Up to where credits were given, as freezes have moved it; null where that is the end of the cycle. */
export function cutNow({ carried: { creditsCut: cut } }: Pick<Contract, 'carried'>, pauses: readonly Pause[]): CreditsCut | null {
  if (cut === undefined) return null;
  const since = pausesSince(pauses, cut.setAt);
  const moved = (at: Instant): Instant => shift(at, since) ?? at;
  return { ...cut, at: moved(cut.at), end: moved(cut.end), behindEnd: moved(cut.behindEnd) };
}

/**
 * What an earlier price has given for the time after the known end, from an instant up to another one; null = all.
 *
 * @example
 * const [at0, at10] = [at('2025-06-21'), at('2025-07-01')];
 * const cut = { at: at0, setAt: at0, whole: '0', length: 1, end: at10, behind: '10', behindEnd: at10 };
 * creditsBehind(cut, at('2025-06-15'), at('2025-06-26')) // '5'
 */
export function creditsBehind({ at, behind, behindEnd }: CreditsCut, from: Instant, until: Instant | null): Decimal {
  const [since, to] = [Math.max(from, at), Math.min(until ?? behindEnd, behindEnd)];
  return to > since ? share(dec(behind), { part: to - since, whole: behindEnd - at }) : ZERO;
}

/**
 * Takes back the credits of the unused time of a contract whose price is given back too, as far as they are left.
 *
 * @example
 * const credits = { amount: '50', expiresAfterCycles: 1, rolloverMaximum: null };
 * const work = workOn(signs('2025-06-01', plan('pro', { credits })), '2025-06-16');
 * giveUpCredits(work, work.snapshot.contract, at('2025-06-16'));
 * work.creditsBack.map(({ amount }) => amount) // ['25.00']
 */
export function giveUpCredits(work: Work, contract: Contract, at: Instant): void {
  giveUp(work, contract, at, creditsAhead(contract, at, work.snapshot.customer.pauses));
}

/** Takes back an amount of the credits that came with a contract's running period, as far as they are left. */
export function giveUp(work: Work, contract: Contract, at: Instant, amount: Decimal): void {
  const { currency } = contract.terms;
  const text = moneyText(amount, currency);
  if (contract.currentIdx === null || !dec(text).gt(ZERO)) return;
  const { start: since } = paidBounds(contract, contract.currentIdx, work.snapshot.customer.pauses);
  work.creditsBack.push({ contractId: contract.id, since, currency, amount: text, at });
}
