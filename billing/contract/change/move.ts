import { isPeriodic } from '../../calendar/cycle.ts';
import type { Instant } from '../../calendar/instant.ts';
import { FULL } from '../../calendar/ratio.ts';
import { customRhythm, indexOf, spanRatio } from '../../calendar/rhythm.ts';
import { type LineGivenBack, lineGivenBack } from '../../invoice/continued.ts';
import { creditLine, creditOf } from '../../invoice/credit.ts';
import { contractMachine } from '../../lifecycle/contract.ts';
import { next } from '../../lifecycle/machine.ts';
import { customCharges, dueByPolicy, firstCharges, recurringCharges } from '../charge/charges.ts';
import { charge, chargeCorrections, closePeriod } from '../charge/close.ts';
import { anchorOf, isAtBoundary } from '../period/anchor.ts';
import { discountIn, transferredCycles } from '../period/cycles-left.ts';
import { earlier, knownEnd, later, paidBounds, paidShare } from '../period/known-end.ts';
import { openUsage } from '../period/periods.ts';
import { recurringSources, sourcesOf, triggeredSources } from '../period/sources.ts';
import { CUSTOM_TRIGGERS, type CustomTrigger, customBounds, movedSpan, remainingOf, trialEndOf } from '../period/time.ts';
import { samePrice } from '../terms/terms.ts';
import type { Contract, PendingChange } from '../types.ts';
import { addEvent, amend, putContract, type Work } from '../work.ts';
import { continued, givenBackSoFar } from './continue.ts';
import { endOldUsage, type UsageMove, usageMoveOf } from './move-usage.ts';

/** How a contract moves. */
export interface MoveKind {
  /** `now`: asked for now. `later`: a pending change falls due. */
  time: 'now' | 'later';
  strategy: PendingChange['kind'];
}

/**
 * Moves a contract to its successor at an instant: the old one is `moved`, its unused time given back; the new one is
 * active from here with its period and its lines. Usage at the same price goes on in it, other usage closes by its
 * policy. In a trial nothing is charged and the trial goes on.
 *
 * @example
 * const story = signs('2025-01-01', plan('pro', { price: '100' }));
 * changes(story, '2025-01-10', toPlan(plan('basic', { price: '40' })));
 * const work = workOn(story, '2025-01-20');
 * moveTo(work, work.snapshot.successor, at('2025-02-01'), { time: 'later', strategy: 'new_plan' });
 * work.fresh.map(({ subtotal }) => subtotal) // ['40.00']
 */
export function moveTo(work: Work, successor: Contract, at: Instant, kind: MoveKind): void {
  const { contract: old, customer } = work.snapshot;
  const { pauses } = customer;
  const inTrial = old.start === null;
  const trialEnd = trialEndOf(old, pauses);
  const boundary = isAtBoundary(old, at, pauses);
  const fresh = successorOf(old, successor, at, boundary, pauses);

  const usage = usageMoveOf(work, fresh, at, boundary);
  endOld(work, fresh.id, at, kind, usage);
  putNew(work, fresh);
  addEvent(work, 'v1.contract.change.completed', old.id, at, { successorId: fresh.id });
  if (old.cancellation !== null && fresh.cancellation === null) addEvent(work, 'v1.contract.cancellation.undone', fresh.id, at);
  work.handovers.push(usage.handover);

  if (!inTrial) {
    // An invoice has one currency: what is given back in the old one stays with the old contract.
    const touched = touchedSources(old, fresh, kind);
    const isSameCurrency = old.terms.currency === fresh.terms.currency;
    const payer = isSameCurrency ? fresh : work.snapshot.contract;
    // no later invoice could give back the rest in the old currency, so all of it is given back now
    const until = isSameCurrency ? later(knownEnd(old, pauses), knownEnd(fresh, pauses)) : null;
    const given = giveBack(work, payer, at, { only: touched, until });
    const begun = { ...fresh, givenBack: givenBackSoFar(old, at, given) };
    chargeNew(work, old, begun, at, (source, start) => touched === null || touched.has(source) || (kind.time === 'later' && at === start));
    openUsage(work, fresh, 1, at, usage.follows);
    return;
  }
  if (trialEnd !== null && trialEnd > at) openUsage(work, fresh, 0, at, usage.follows);
  else startNew(work, fresh, at);
}

/**
 * The sources that a change of units gives back and charges again: those whose price changes; the other recurring ones
 * too where the discount is another, or a flat one that has to be divided again. All (null) in a change of plan.
 */
function touchedSources(old: Contract, fresh: Contract, { strategy }: MoveKind): ReadonlySet<string> | null {
  if (strategy === 'new_plan') return null;
  const before = new Map(sourcesOf(old.terms).map(({ source, price }) => [source, price]));
  const changed = new Set(
    sourcesOf(fresh.terms).flatMap(({ source, price }) => (samePrice(before.get(source) ?? null, price) ? [] : [source])),
  );
  const recurring = recurringSources(fresh.terms).map(({ source }) => source);
  const isDividedAgain = discountIn(fresh, 1)?.type === 'flat' && recurring.some((source) => changed.has(source));
  const isAnother = fresh.discount?.id !== old.discount?.id;
  return isDividedAgain || isAnother ? new Set([...changed, ...recurring]) : changed;
}

/** The successor as it is from the change on. */
function successorOf(
  old: Contract,
  successor: Contract,
  at: Instant,
  boundary: boolean,
  pauses: Work['snapshot']['customer']['pauses'],
): Contract {
  const anchor = anchorOf(old, successor.terms.cycle, at, boundary);
  const given = successor.discount?.id !== old.discount?.id;
  const discount = successor.discount && given ? { ...successor.discount, cyclesBefore: anchor.cyclesBefore } : successor.discount;
  return {
    ...successor,
    ...anchor,
    ...transferredCycles(old, { ...successor, discount }, at, boundary, pauses),
    status: next(contractMachine, successor.status, 'take_over'),
    isSuccessor: false,
    predecessorId: old.id,
    rootId: old.rootId,
    activation: at,
    began: at,
    trialDays: old.start === null ? old.trialDays : 0,
    trialEnd: old.start === null ? trialEndOf(old, pauses) : null,
    expiration: old.expiration,
    cancellation: cancellationOf(old, successor),
  };
}

/**
 * A cancellation that still waits passes to the new contract. One for the end of the cycle then means the end of the
 * new contract's cycle; `once` and `constant` have no such end, so it is dropped.
 */
function cancellationOf({ cancellation, start, terms }: Contract, successor: Contract): Contract['cancellation'] {
  if (cancellation === null || cancellation.when.type === 'date' || successor.terms.cycle === terms.cycle || start === null)
    return cancellation;
  return isPeriodic(successor.terms.cycle) ? { ...cancellation, when: { type: 'boundary', n: 1 } } : null;
}

function endOld(work: Work, successorId: string, at: Instant, kind: MoveKind, usage: UsageMove): void {
  endOldUsage(work, at, usage);
  amend(work, {
    status: next(contractMachine, work.snapshot.contract.status, 'change'),
    ended: at,
    successorId,
    pendingChange: null,
    cancellation: null,
  });
  if (kind.time === 'now') closeDue(work, at);
  chargeCorrections(work, at);
}

/** Usage that closes at once by its policy is on the old contract's invoice of this instant. */
function closeDue(work: Work, at: Instant): void {
  for (const period of work.snapshot.periods) if (period.closesAt !== null && period.closesAt <= at) closePeriod(work, period, at);
}

function putNew(work: Work, fresh: Contract): void {
  work.snapshot = { ...work.snapshot, successor: fresh };
  putContract(work, fresh);
}

/**
 * Credit lines for the unused part of everything that runs, or of some sources.
 *
 * @param payer the contract whose invoice takes them up
 * @param only sources to give back, null = all
 * @param from nothing before it is given back
 * @param until a known end of the contract: nothing behind it is given back; null = none
 * @returns what was given back, for charges that continue it
 * @example
 * const work = workOn(signs('2025-06-01', plan('pro', { price: '100' })), '2025-06-16');
 * giveBack(work, work.snapshot.contract, at('2025-06-16'));
 * work.fresh.map(({ subtotal }) => subtotal) // ['-50.00']
 */
export function giveBack(
  work: Work,
  payer: Contract,
  at: Instant,
  { only = null, from: since = at, until = null }: { only?: ReadonlySet<string> | null; from?: Instant; until?: Instant | null } = {},
): LineGivenBack[] {
  const given: LineGivenBack[] = [];
  for (const line of work.snapshot.running) {
    if (only !== null && !only.has(line.source)) continue;
    const ahead = remainingOf(line, since, work.snapshot.customer.pauses, until);
    if (ahead === null) continue;
    const { from, to, share, isCut } = ahead;
    const span = movedSpan(line, work.snapshot.customer.pauses);
    const dueDate = dueByPolicy(payer, { at, span: { start: from, end: to } });
    const place = { contractId: payer.id, newId: work.newId, dueDate, ...(isCut ? { until: { at: to, setAt: at } } : {}) };
    const credit = creditLine({ ...line, span }, share, from, place);
    if (credit) work.fresh.push(credit);
    const back = from === at ? lineGivenBack(line, creditOf(line, share, at), to) : null;
    if (back) given.push(back);
  }
  return given;
}

/**
 * Whether a source is charged on the new contract; `start` = where its span began. What becomes due only now hasn't
 * been charged by the old one.
 */
type Counts = (source: string, start: Instant) => boolean;

/**
 * The rest of the period on the new contract: recurring lines, month, quarter and year lines, and `first_cycle` of
 * another plan.
 */
function chargeNew(work: Work, old: Contract, fresh: Contract, at: Instant, counts: Counts): void {
  const { pauses } = work.snapshot.customer;
  const contract: Contract = { ...fresh, currentIdx: 1 };
  const { start, end: natural } = paidBounds(contract, 1, pauses);
  const end = earlier(natural, natural && knownEnd(contract, pauses));
  const occasion = { at, span: { start: at, end }, ratio: paidShare(contract, 1, at, end, pauses), idx: 1, isCut: end !== natural };
  charge(
    work,
    contract,
    recurringCharges(contract, occasion, at !== start)
      .filter(({ source }) => counts(source, start))
      .map((one) => continued(contract, one)),
    1,
  );
  if (old.terms.originalPlanId !== contract.terms.originalPlanId) charge(work, contract, firstCharges(contract, occasion), 1);
  putContract(work, contract);
  for (const trigger of CUSTOM_TRIGGERS) chargeCustomRest(work, trigger, at, counts);
}

function chargeCustomRest(work: Work, trigger: CustomTrigger, at: Instant, counts: Counts): void {
  const { successor: contract, customer } = work.snapshot;
  if (contract?.start == null || triggeredSources(contract.terms, trigger).length === 0) return;
  const rhythm = customRhythm(contract.start, trigger, customer.pauses);
  const k = indexOf(rhythm, at);
  const { start, end: natural } = customBounds(contract, trigger, k, customer.pauses);
  const end = earlier(natural, natural && knownEnd(contract, customer.pauses));
  const ratio = end === null ? FULL : spanRatio(rhythm, k, at, end);
  const occasion = { at, span: { start: at, end }, ratio, idx: 1, isCut: end !== natural };
  const charges = customCharges(contract, trigger, k, occasion, at !== start);
  charge(
    work,
    contract,
    charges.filter(({ source }) => counts(source, start)).map((one) => continued(contract, one)),
    1,
  );
  putContract(work, { ...contract, customCharged: { ...contract.customCharged, [trigger]: k } });
}

/** A change due exactly at the end of the trial: the new contract begins with its first period, whole. */
function startNew(work: Work, fresh: Contract, at: Instant): void {
  const contract: Contract = { ...fresh, start: at };
  const { pauses } = work.snapshot.customer;
  const span = paidBounds(contract, 1, pauses);
  const occasion = { at, span, ratio: paidShare(contract, 1, span.start, span.end, pauses), idx: 1 };
  const started = { ...contract, currentIdx: 1 };
  charge(work, started, recurringCharges(started, occasion, false), 1);
  charge(work, started, firstCharges(started, occasion), 1);
  putContract(work, started);
  openUsage(work, started, 1, at);
  for (const trigger of CUSTOM_TRIGGERS) chargeCustomRest(work, trigger, at, () => true);
}
