import type { Instant } from '../../calendar/instant.ts';
import type { Line, LineKind } from '../../invoice/types.ts';
import { type Decimal, dec, sum } from '../../money/decimal.ts';
import { moneyText } from '../../money/round.ts';
import { refuse } from '../../refusal.ts';
import { advance } from '../advance/advance.ts';
import { MOST_INSTANTS } from '../advance/catching-up.ts';
import { type CancelRequest, planCancellation } from '../change/cancel.ts';
import { charge } from '../charge/close.ts';
import { usageCharges } from '../charge/usage-charges.ts';
import { isLive } from '../period/time.ts';
import type { Contract, ContractSnapshot, Effects, NewId, Outcome } from '../types.ts';
import { type InvoiceWithLines, openWork } from '../work.ts';
import type { LooksAhead } from './looks-ahead.ts';
import { invoicesMade, type LeftToCaller, MOST_STEPS_AHEAD, requireUpToDate, stepsAhead } from './steps-ahead.ts';

/** What a cancellation brings if nothing more happens. Amounts are text in the contract's currency, tax included. */
export interface CancelEstimate {
  /** when the contract ends; null when a change that waits drops the cancellation */
  at: Instant | null;
  /** those that come with the cancellation, its end and the closing of the last usage, in their order */
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

/**
 * Computes what a cancellation comes to: the cancellation itself and all that follows from it, in memory. It yields
 * after each step, so that the caller may let others work meanwhile.
 *
 * @param planned when the contract's invoice threshold is to be looked at
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
  planned: LooksAhead = new Map(),
): Generator<undefined, CancelEstimate> {
  const late = advance(snapshot, now, newId, { instants: MOST_INSTANTS });
  requireUpToDate(late, now);
  const plan = planCancellation(late.snapshot, request, now, newId);
  const made = [plan];
  const until = [late.effects, plan.effects];
  let ended = isLive(plan.snapshot.contract) ? null : plan.snapshot;
  let steps = 0;
  let left: LeftToCaller[] = [];
  // a cancellation ends an open gate; the look at the threshold follows at once, as one that is planned already does
  const looks = new Map([...planned.keys()].map((id) => [id, now]));
  for (const { outcome, chain, leftToCaller } of stepsAhead([plan.snapshot], newId, looks)) {
    const { contract } = outcome.snapshot;
    left = leftToCaller;
    if (ended === null) until.push(outcome.effects);
    if (ended === null && contract.status === 'canceled') ended = outcome.snapshot;
    if (contract.id === ended?.contract.id) {
      made.push(outcome);
      ended = outcome.snapshot;
    } else if (ended === null && !waitsForItsEnd(chain)) break;
    steps += 1;
    if (steps > MOST_STEPS_AHEAD) refuse('date_too_far', `give a date with at most ${MOST_STEPS_AHEAD} cycles before it`, 'when.date');
    yield;
  }
  const untilCreditsBack = ended !== null && until.at(-1)?.creditsBack.length ? until : [];
  return { ...estimateOf(snapshot.contract, made, { ended, left }, newId), untilCreditsBack };
}

/** A change to a contract without cycles drops a cancellation that waits for the end of the cycle. */
function waitsForItsEnd(chain: readonly ContractSnapshot[]): boolean {
  return chain.some(({ contract }) => isLive(contract) && contract.cancellation !== null);
}

function estimateOf(
  { terms: { currency } }: Contract,
  made: readonly Outcome[],
  { ended, left }: { ended: ContractSnapshot | null; left: readonly LeftToCaller[] },
  newId: NewId,
): Omit<CancelEstimate, 'untilCreditsBack'> {
  const invoices = made.flatMap(invoicesMade);
  const lines = made.flatMap(({ effects }) => effects.lines);
  const open = ended === null ? [] : openUsageOf(ended, left, newId);
  return {
    at: ended?.contract.ended ?? null,
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

/** What periods will charge that a caller closes: they are still open when everything else is done. */
function openUsageOf(ended: ContractSnapshot, left: readonly LeftToCaller[], newId: NewId): Line[] {
  const own = left.filter(({ period }) => period.contractId === ended.contract.id);
  const open = ended.periods.map((period) => ({ period, usage: ended.usage }));
  const known = new Set(own.map(({ period }) => period.idx));
  const work = openWork(ended, newId);
  for (const { period, usage } of [...own, ...open.filter(({ period: { idx } }) => !known.has(idx))]) {
    charge(work, ended.contract, usageCharges({ ...ended, usage }, period, period.until ?? 0), period.idx);
  }
  return work.fresh;
}
