import type { Instant } from '../../calendar/instant.ts';
import type { Line, LineKind } from '../../invoice/types.ts';
import type { Currency } from '../../money/currency.ts';
import { type Decimal, dec, sum } from '../../money/decimal.ts';
import { moneyText } from '../../money/round.ts';
import { refuse } from '../../refusal.ts';
import { advance } from '../advance/advance.ts';
import { MOST_INSTANTS } from '../advance/catching-up.ts';
import { type CancelRequest, planCancellation } from '../change/cancel.ts';
import { charge } from '../charge/close.ts';
import { usageCharges } from '../charge/usage-charges.ts';
import { isLive } from '../period/time.ts';
import type { ContractSnapshot, Effects, NewId, Outcome } from '../types.ts';
import { type InvoiceWithLines, openWork } from '../work.ts';
import type { LooksAhead } from './looks-ahead.ts';
import { firstInstant, invoicesMade, type LeftToCaller, MOST_STEPS_AHEAD, requireUpToDate, stepsAhead } from './steps-ahead.ts';

/** What a cancellation brings if nothing more happens. Amounts are text in the contract's currency, tax included. */
export interface CancelEstimate {
  /** when the contract ends; null when a change that waits drops the cancellation */
  at: Instant | null;
  /** those that come with the cancellation, its end and the closing of the last usage of the chain, in their order */
  invoices: InvoiceWithLines[];
  /** what is given back, positive */
  credit: string;
  /** what the usage costs that is open when the contract ends; under closing policy `manual` it is on no invoice yet */
  usage: string;
  /** sum of the invoices */
  total: string;
  /** what is written up to the end, in its order, where the end takes credits of the plan back; else none */
  untilCreditsBack: Effects[];
}

/** What is known beside the contract that is canceled. */
interface ChainAhead {
  /** contracts before it, of which something is still to be charged */
  earlier?: readonly ContractSnapshot[];
  /** when invoice thresholds are to be looked at */
  planned?: LooksAhead;
}

/**
 * Computes what a cancellation comes to: the cancellation itself and all that follows from it, in memory. What
 * contracts before a change have left to charge in the same currency counts where it is charged at the end or later. It
 * yields after each step, so that the caller may let others work meanwhile.
 *
 * @throws Refusal as `planCancellation`; `date_too_far` when more than 10,000 instants lie before the end
 * @throws CatchingUp for a contract that is later than one transaction carries out
 * @example
 * const { snapshot, newId } = workOn(signs('2025-06-01', plan('pro', { price: '100' })), '2025-06-16');
 * const request = { when: { type: 'now' }, credit: true, notes: null };
 * estimateCancel(snapshot, request, at('2025-06-16'), newId).next().value.credit // '50.00'
 */
export function* estimateCancel(
  snapshot: ContractSnapshot,
  request: CancelRequest,
  now: Instant,
  newId: NewId,
  { earlier = [], planned = new Map() }: ChainAhead = {},
): Generator<undefined, CancelEstimate> {
  const late = upToDate(snapshot, now, newId);
  const plan = planCancellation(late.snapshot, request, now, newId);
  const made: MadeAt[] = [{ at: now, outcome: plan }];
  const until = [late.effects, plan.effects];
  let ended = isLive(plan.snapshot.contract) ? null : plan.snapshot;
  let steps = 0;
  let left: LeftToCaller[] = [];
  // a cancellation ends an open gate; the look at the threshold follows at once, as one that is planned already does
  const looks = new Map([...planned].map(([id, at]) => [id, id === snapshot.contract.id ? now : at]));
  const before = earlier.map((one) => upToDate(one, now, newId).snapshot);
  // what only a caller closes needs no step
  const { comes = [], waits = [] } = Object.groupBy(before, (one) => (firstInstant(one, looks) === null ? 'waits' : 'comes'));
  const chainNow = [plan.snapshot, ...comes];
  let chainThen = chainNow;
  for (const { at, before: last, outcome, chain, leftToCaller } of stepsAhead(chainNow, newId, looks)) {
    const { contract } = outcome.snapshot;
    left = leftToCaller;
    if (ended === null) until.push(outcome.effects);
    if (isLive(last.contract) && contract.status === 'canceled') ended = outcome.snapshot;
    chainThen = chain;
    if (ended !== null || !isLive(last.contract)) made.push({ at, outcome });
    if (ended === null && !waitsForItsEnd(chain)) break;
    steps += 1;
    if (steps > MOST_STEPS_AHEAD) refuse('date_too_far', `give a date with at most ${MOST_STEPS_AHEAD} cycles before it`, 'when.date');
    yield;
  }
  const untilCreditsBack = ended !== null && until.at(-1)?.creditsBack.length ? until : [];
  const { ended: at, terms } = (ended ?? plan.snapshot).contract;
  const counts = ({ contract }: ContractSnapshot) => at !== null && contract.terms.currency === terms.currency;
  const fromTheEnd = made.filter((one, index) => index === 0 || (counts(one.outcome.snapshot) && one.at >= (at ?? 0)));
  const open = [...chainThen, ...waits].filter(counts).flatMap((one) => openUsageOf(one, left, newId));
  const outcomes = fromTheEnd.map(({ outcome }) => outcome);
  return { at, ...estimateOf(terms.currency, outcomes, open), untilCreditsBack };
}

interface MadeAt {
  at: Instant;
  outcome: Outcome;
}

function upToDate(snapshot: ContractSnapshot, now: Instant, newId: NewId): Outcome {
  const late = advance(snapshot, now, newId, { instants: MOST_INSTANTS });
  requireUpToDate(late, now);
  return late;
}

/** A change to a contract without cycles drops a cancellation that waits for the end of the cycle. */
function waitsForItsEnd(chain: readonly ContractSnapshot[]): boolean {
  return chain.some(({ contract }) => isLive(contract) && contract.cancellation !== null);
}

function estimateOf(currency: Currency, made: readonly Outcome[], open: readonly Line[]): Omit<CancelEstimate, 'at' | 'untilCreditsBack'> {
  const invoices = made.flatMap(invoicesMade);
  const lines = made.flatMap(({ effects }) => effects.lines);
  return {
    invoices,
    credit: moneyText(creditOfOutcomes(made), currency),
    usage: moneyText(amountOf([...lines, ...open], ['usage', 'correction']), currency),
    total: moneyText(sum(invoices.map(({ invoice }) => dec(invoice.total))), currency),
  };
}

/**
 * What outcomes give back together for unused time, positive, in their contract's currency, tax included.
 *
 * @example
 * const { snapshot, newId } = workOn(signs('2025-06-01', plan('pro', { price: '100' })), '2025-06-16');
 * const request = { when: { type: 'now' }, credit: true, notes: null };
 * creditOfOutcomes([planCancellation(snapshot, request, at('2025-06-16'), newId)]).toFixed() // '50'
 */
export function creditOfOutcomes(made: readonly Outcome[]): Decimal {
  const lines = made.flatMap(({ effects }) => effects.lines);
  return amountOf(lines, ['credit']).neg();
}

const amountOf = (lines: readonly Line[], kinds: readonly LineKind[]): Decimal =>
  sum(lines.filter(({ kind }) => kinds.includes(kind)).map(({ totalIncludingTax }) => dec(totalIncludingTax)));

/**
 * What the open periods of a contract will charge, tax included, as far as their usage is on no invoice yet.
 *
 * @example
 * const configuration = { usagePeriodClosingPolicy: 'manual' };
 * const story = signs('2025-01-01', plan('pro', { features: { calls: usage('1') } }), { configuration });
 * story.uses('2025-01-10', 'calls', '3');
 * story.advance('2025-02-01');
 * const { snapshot } = workOn(story, '2025-02-04');
 * amountToClose({ ...snapshot, periods: snapshot.periods.filter(closesByCall) }, newId).toFixed() // '3'
 */
export function amountToClose(snapshot: ContractSnapshot, newId: NewId): Decimal {
  return amountOf(openUsageOf(snapshot, [], newId), ['usage', 'correction']);
}

/** What the periods that only a caller closes will charge: they are still open when everything else is done. */
function openUsageOf(snapshot: ContractSnapshot, left: readonly LeftToCaller[], newId: NewId): Line[] {
  const own = left.filter(({ period }) => period.contractId === snapshot.contract.id);
  const usageBy = Map.groupBy(snapshot.usage, ({ periodIdx }) => periodIdx);
  const open = snapshot.periods.map((period) => ({ period, usage: usageBy.get(period.idx) ?? [] }));
  const known = new Set(own.map(({ period }) => period.idx));
  const work = openWork(snapshot, newId);
  for (const { period, usage } of [...own, ...open.filter(({ period: { idx } }) => !known.has(idx))]) {
    charge(work, snapshot.contract, usageCharges({ ...snapshot, usage }, period, period.until ?? 0), period.idx);
  }
  return work.fresh;
}
