import type { Instant } from '../../calendar/instant.ts';
import { contractMachine } from '../../lifecycle/contract.ts';
import { next } from '../../lifecycle/machine.ts';
import { chargeCorrections, closePeriod } from '../charge/close.ts';
import { isAtBoundary } from '../period/anchor.ts';
import { openUsage } from '../period/periods.ts';
import { trialEndOf } from '../period/time.ts';
import type { FollowedRule } from '../terms/change-rules.ts';
import type { Contract, PendingChange } from '../types.ts';
import { addEvent, amend, putContract, type Work } from '../work.ts';
import { changeCredits } from './change-credits.ts';
import { changeLines } from './change-lines.ts';
import { startNew } from './charge-new.ts';
import { effectIn } from './effect.ts';
import { endOldUsage, type UsageMove, usageMoveOf } from './move-usage.ts';
import { ruleOf } from './rule-of.ts';
import { successorOf } from './successor.ts';

/** How a contract moves. */
export interface MoveKind {
  /** `now`: asked for now. `later`: a pending change falls due. */
  time: 'now' | 'later';
  strategy: PendingChange['kind'];
  /** the rule that the change follows, where it was found already */
  rule?: FollowedRule;
}

/**
 * Moves a contract to its successor at an instant: the old one is `moved`; the new one is active from here with its
 * period and the lines that the rule of the change makes. Usage at the same price goes on in it, other usage closes by
 * its policy. In a trial nothing is charged and the trial goes on.
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
  const rule = kind.rule ?? ruleOf(old, successor, kind.strategy);
  const effect = effectIn(rule, old, successor, boundary);
  const begin = { boundary, begins: effect.beginsPeriod && !inTrial, pricesLater: effect.charged === 'nothing' && !boundary };
  const fresh = successorOf(old, successor, at, begin, pauses);

  const usage = usageMoveOf(work, fresh, at, begin);
  endOld(work, fresh.id, at, kind, usage);
  putNew(work, fresh);
  addEvent(work, 'v1.contract.change.completed', old.id, at, { successorId: fresh.id });
  if (old.cancellation !== null && fresh.cancellation === null) addEvent(work, 'v1.contract.cancellation.undone', fresh.id, at);
  work.handovers.push(usage.handover);

  if (!inTrial) {
    changeLines(work, { old, fresh, at, boundary, pauses, ...kind }, effect, rule);
    changeCredits(work, { old, fresh, at, boundary, strategy: kind.strategy }, effect);
    openUsage(work, fresh, 1, at, usage.follows);
    return;
  }
  if (trialEnd !== null && trialEnd > at) openUsage(work, fresh, 0, at, usage.follows);
  else startNew(work, fresh, at);
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
