import type { Instant } from '../calendar/instant.ts';
import { FULL } from '../calendar/ratio.ts';
import { customRhythm, indexOf, spanRatio } from '../calendar/rhythm.ts';
import { creditLine } from '../invoice/credit.ts';
import { contractMachine } from '../lifecycle/contract.ts';
import { next } from '../lifecycle/machine.ts';
import { isUnitPriced, isUsagePriced } from '../pricing/price.ts';
import { anchorOf, isAtBoundary } from './anchor.ts';
import { customCharges, discountIn, dueByPolicy, firstCharges, recurringCharges } from './charges.ts';
import { charge, closePeriod, settleCorrections } from './close.ts';
import { endUsage, openRow, openUsage, runningIdx } from './periods.ts';
import { hasUsage } from './schedule.ts';
import { recurringSources, sourcesOf, triggeredSources } from './sources.ts';
import { samePrice } from './terms.ts';
import {
  CUSTOM_TRIGGERS,
  type CustomTrigger,
  customBounds,
  cycleEnd,
  movedSpan,
  periodBounds,
  periodShare,
  remainingOf,
  trialEndOf,
} from './time.ts';
import type { Contract, PendingChange, UsagePeriod } from './types.ts';
import { amend, putContract, putPeriod, tell, type Work } from './work.ts';

/** How a contract moves. */
export interface MoveKind {
  /** `now`: asked for now, all open usage closes at once. `later`: a pending change falls due, usage closes by its policy. */
  time: 'now' | 'later';
  strategy: PendingChange['kind'];
}

/**
 * Moves a contract to its successor at an instant: the old one is `moved`, its unused time given back, its usage closed; the new one is
 * active from here with its period and its lines. In a trial nothing is charged and the trial goes on.
 *
 * @example 100 → 300 a month at 16 June, period 1 June – 1 July: lines −50.00 and +150.00 on the new contract (P1)
 */
export function moveTo(work: Work, successor: Contract, at: Instant, kind: MoveKind): void {
  const { contract: old, customer } = work.life;
  const { pauses } = customer;
  const inTrial = old.start === null;
  const trialEnd = trialEndOf(old, pauses);
  const fresh = successorOf(old, successor, at, kind, pauses);
  const boundary = kind.time === 'later' && isAtBoundary(old, at, pauses);

  const stays = usageThatStays(old, fresh);
  const afterIdx = runningIdx(old) ?? 0;
  const isCharged = !boundary && hasUsage(old) && openRow(work, afterIdx) === null;
  endOld(work, fresh.id, at, kind, boundary, stays);
  putNew(work, fresh);
  tell(work, 'v1.contract.change.completed', old.id, at, { successorId: fresh.id });
  const after = isCharged ? null : boundary ? at - 1 : at;
  work.handovers.push({ fromContractId: old.id, toContractId: fresh.id, after, afterIdx, except: [...stays] });

  if (!inTrial) {
    // One invoice holds one currency: what is given back in the old one stays with the old contract.
    const touched = touchedSources(old, fresh, kind);
    giveBack(work, old.terms.currency === fresh.terms.currency ? fresh : work.life.contract, at, touched);
    chargeNew(work, old, fresh, at, (source, start) => touched === null || touched.has(source) || (kind.time === 'later' && at === start));
    return;
  }
  if (trialEnd !== null && trialEnd > at) putPeriod(work, trialPeriod(fresh, at, trialEnd));
  else startNew(work, fresh, at);
}

/**
 * The sources that a change of units gives back and charges anew: those whose price changes, and the other recurring ones where the discount
 * is another, or a flat one that is spread over them anew. All (null) in a change of plan.
 */
function touchedSources(old: Contract, fresh: Contract, { strategy }: MoveKind): ReadonlySet<string> | null {
  if (strategy === 'new_plan') return null;
  const before = new Map(sourcesOf(old.terms).map(({ source, price }) => [source, price]));
  const changed = new Set(
    sourcesOf(fresh.terms).flatMap(({ source, price }) => (samePrice(before.get(source) ?? null, price) ? [] : [source])),
  );
  const recurring = recurringSources(fresh.terms).map(({ source }) => source);
  const isSpreadAnew = discountIn(fresh, 1)?.type === 'flat' && recurring.some((source) => changed.has(source));
  const isAnother = fresh.discount?.id !== old.discount?.id;
  return isSpreadAnew || isAnother ? new Set([...changed, ...recurring]) : changed;
}

/** The successor as it is from the change on. */
function successorOf(
  old: Contract,
  successor: Contract,
  at: Instant,
  kind: MoveKind,
  pauses: Work['life']['customer']['pauses'],
): Contract {
  const anchor = anchorOf(old, successor.terms.cycle, at, kind.time === 'later' && isAtBoundary(old, at, pauses));
  const given = successor.discount?.id !== old.discount?.id;
  return {
    ...successor,
    ...anchor,
    status: next(contractMachine, successor.status, 'take_over'),
    isSuccessor: false,
    predecessorId: old.id,
    rootId: old.rootId,
    activation: at,
    began: at,
    trialDays: old.start === null ? old.trialDays : 0,
    trialEnd: old.start === null ? trialEndOf(old, pauses) : null,
    discount: successor.discount && given ? { ...successor.discount, cyclesBefore: anchor.cyclesBefore } : successor.discount,
    expiration: old.expiration,
    cancellation: carried(old, successor, at, pauses),
  };
}

/** A cancellation that still waits goes on with the new contract; at a boundary of a rhythm that ends it becomes that instant. */
function carried(old: Contract, successor: Contract, at: Instant, pauses: Work['life']['customer']['pauses']): Contract['cancellation'] {
  const { cancellation } = old;
  if (cancellation === null || cancellation.when.type === 'date' || successor.terms.cycle === old.terms.cycle) return cancellation;
  const end = cycleEnd(old, pauses);
  return end === null ? null : { ...cancellation, when: { type: 'date', at: end, setAt: at } };
}

/** Features whose usage the new contract doesn't take: what was reported of them ahead of time is still charged by the old one. */
function usageThatStays(old: Contract, fresh: Contract): ReadonlySet<string> {
  const takenBy = ({ terms }: Contract) =>
    sourcesOf(terms).flatMap(({ slug, price }) => (slug !== null && (isUsagePriced(price) || isUnitPriced(price)) ? [slug] : []));
  const taken = new Set(takenBy(fresh));
  return new Set(takenBy(old).filter((slug) => !taken.has(slug)));
}

function endOld(work: Work, successorId: string, at: Instant, kind: MoveKind, boundary: boolean, stays: ReadonlySet<string>): void {
  const running = runningIdx(work.life.contract);
  const closing = kind.time === 'now' ? 'now' : 'by_policy';
  if (running !== null) {
    splitUsage(work, running, boundary, stays);
    endUsage(work, running, at, closing);
    endLater(work, running, at, closing);
  }
  amend(work, {
    status: next(contractMachine, work.life.contract.status, 'change'),
    ended: at,
    successorId,
    pendingChange: null,
    cancellation: null,
  });
  if (kind.time === 'now') for (const period of work.life.periods) closePeriod(work, period, at);
  settleCorrections(work, at);
}

/** What was used after the change belongs to the new contract, where that takes it. */
function splitUsage(work: Work, running: number, boundary: boolean, stays: ReadonlySet<string>): void {
  const usage = work.life.usage.flatMap((total) => {
    if (stays.has(total.slug) || total.periodIdx < running || (boundary && total.periodIdx === running)) return [total];
    return total.periodIdx > running ? [] : [{ ...total, units: total.unitsUntilNow, events: total.eventsUntilNow }];
  });
  work.life = { ...work.life, usage };
}

/**
 * Usage that came before the change was carried out may have made a row for a period that the old contract doesn't see any more. It is charged
 * for what stays in it, else it just goes.
 */
function endLater(work: Work, running: number, at: Instant, closing: 'now' | 'by_policy'): void {
  for (const period of work.life.periods) {
    if (period.idx <= running) continue;
    if (work.life.usage.some(({ periodIdx }) => periodIdx === period.idx)) endUsage(work, period.idx, at, closing);
    else putPeriod(work, { ...period, from: at, until: at, closesAt: at, status: 'closed', closedAt: at });
  }
}

function putNew(work: Work, fresh: Contract): void {
  work.life = { ...work.life, successor: fresh };
  putContract(work, fresh);
}

/**
 * Credit lines for the unused part of everything that runs, or of some sources.
 *
 * @param payer the contract whose invoice carries them
 * @param only sources to give back, null = all
 * @example 100 charged for 1 June – 1 July: giveBack(work, payer, at('2025-06-16')) adds a line of −50.00 (P1)
 */
export function giveBack(work: Work, payer: Contract, at: Instant, only: ReadonlySet<string> | null = null): void {
  for (const line of work.life.running) {
    if (only !== null && !only.has(line.source)) continue;
    const remaining = remainingOf(line, at, work.life.customer.pauses);
    if (remaining === null) continue;
    const span = movedSpan(line, work.life.customer.pauses);
    const dueDate = dueByPolicy(payer, { at, span: { start: at, end: span?.end ?? null } });
    const credit = creditLine({ ...line, span }, remaining, at, { contractId: payer.id, mint: work.mint, dueDate });
    if (credit) work.fresh.push(credit);
  }
}

/** Whether a source is charged on the new contract; `start` = where its span began. What falls due only now hasn't been charged by the old one. */
type Counts = (source: string, start: Instant) => boolean;

/** The rest of the period on the new contract: recurring lines, month, quarter and year lines, and `first_cycle` of another plan. */
function chargeNew(work: Work, old: Contract, fresh: Contract, at: Instant, counts: Counts): void {
  const { pauses } = work.life.customer;
  const contract: Contract = { ...fresh, currentIdx: 1 };
  const { start, end } = periodBounds(contract, 1, pauses);
  const occasion = { at, span: { start: at, end }, ratio: periodShare(contract, 1, at, end, pauses), idx: 1 };
  charge(
    work,
    contract,
    recurringCharges(contract, occasion, at !== start).filter(({ source }) => counts(source, start)),
    1,
  );
  if (old.terms.originalPlanId !== contract.terms.originalPlanId) charge(work, contract, firstCharges(contract, occasion), 1);
  putContract(work, contract);
  openUsage(work, contract, 1, at);
  for (const trigger of CUSTOM_TRIGGERS) chargeCustomRest(work, trigger, at, counts);
}

function chargeCustomRest(work: Work, trigger: CustomTrigger, at: Instant, counts: Counts): void {
  const { successor: contract, customer } = work.life;
  if (contract?.start == null || triggeredSources(contract.terms, trigger).length === 0) return;
  const rhythm = customRhythm(contract.start, trigger, customer.pauses);
  const k = indexOf(rhythm, at);
  const { start, end } = customBounds(contract, trigger, k, customer.pauses);
  const ratio = end === null ? FULL : spanRatio(rhythm, k, at, end);
  const charges = customCharges(contract, trigger, k, { at, span: { start: at, end }, ratio, idx: 1 }, at !== start);
  charge(
    work,
    contract,
    charges.filter(({ source }) => counts(source, start)),
    1,
  );
  putContract(work, { ...contract, customCharged: { ...contract.customCharged, [trigger]: k } });
}

function trialPeriod(contract: Contract, at: Instant, end: Instant): UsagePeriod {
  return { contractId: contract.id, idx: 0, start: at, end, from: at, until: end, closesAt: end, status: 'open', closedAt: null };
}

/** A change due at the very end of the trial: the new contract begins with its first period, whole. */
function startNew(work: Work, fresh: Contract, at: Instant): void {
  const contract: Contract = { ...fresh, start: at, firstCycle: 0, customCharged: { month: -1, quarter: -1, year: -1 } };
  const { pauses } = work.life.customer;
  const span = periodBounds(contract, 1, pauses);
  const occasion = { at, span, ratio: periodShare(contract, 1, span.start, span.end, pauses), idx: 1 };
  const started = { ...contract, currentIdx: 1 };
  charge(work, started, recurringCharges(started, occasion, false), 1);
  charge(work, started, firstCharges(started, occasion), 1);
  putContract(work, started);
  openUsage(work, started, 1, at);
  for (const trigger of CUSTOM_TRIGGERS) chargeCustomRest(work, trigger, at, () => true);
}
