import type { Instant } from '../../calendar/instant.ts';
import { contractMachine } from '../../lifecycle/contract.ts';
import { next } from '../../lifecycle/machine.ts';
import { chargeCorrections, closePeriod } from '../charge/close.ts';
import { isAtBoundary } from '../period/anchor.ts';
import { discountIn } from '../period/cycles-left.ts';
import { knownEnd, later } from '../period/known-end.ts';
import { openUsage } from '../period/periods.ts';
import { recurringSources, sourcesOf } from '../period/sources.ts';
import { trialEndOf } from '../period/time.ts';
import { samePrice } from '../terms/terms.ts';
import type { Contract, PendingChange } from '../types.ts';
import { addEvent, amend, putContract, type Work } from '../work.ts';
import { chargeNew, startNew } from './charge-new.ts';
import { givenBackSoFar } from './continue.ts';
import { giveBack } from './give-back.ts';
import { endOldUsage, type UsageMove, usageMoveOf } from './move-usage.ts';
import { successorOf } from './successor.ts';

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
