import { isPeriodic } from '../../calendar/cycle.ts';
import type { Instant } from '../../calendar/instant.ts';
import { FULL } from '../../calendar/ratio.ts';
import { contractMachine } from '../../lifecycle/contract.ts';
import { next } from '../../lifecycle/machine.ts';
import { giveBack } from '../change/give-back.ts';
import { moveTo } from '../change/move.ts';
import { canceledSuccessor, movePending } from '../change/pending.ts';
import { dueCustomCharges, firstCharges, recurringCharges } from '../charge/charges.ts';
import { charge, chargeCorrections, closePeriod } from '../charge/close.ts';
import { addChargedElsewhere, addCustomElsewhere, grantLeftElsewhere } from '../charge/elsewhere.ts';
import { giveUpCredits, grantCycle } from '../charge/plan-credits.ts';
import { withDiscountEnd } from '../period/discount-end.ts';
import { paidBounds, paidShare } from '../period/known-end.ts';
import { endUsage, openRow, openUsage, runningIdx } from '../period/periods.ts';
import type { Due } from '../period/schedule.ts';
import {
  activationOf,
  type CustomTrigger,
  customBounds,
  datesFrom,
  expirationAt,
  periodBounds,
  plannedTrialEnd,
  trialEndOf,
} from '../period/time.ts';
import type { AgendaKind, EndReason } from '../types.ts';
import { addEvent, amend, putContract, type Work } from '../work.ts';

/**
 * The first step of a new contract: it becomes pending or scheduled. If its activation is due at or before `upTo`, or
 * it is in any other state, it stays as it is.
 */
export function completeSigning(work: Work, upTo: Instant): void {
  const { contract, customer } = work.snapshot;
  if (contract.status !== 'not_ready') return;
  if (contract.activation === null) {
    amend(work, { status: next(contractMachine, contract.status, 'first_step_committed', { isPending: true }) });
    return;
  }
  const at = activationOf(contract, customer.pauses);
  if (at !== null && at <= upTo) return;
  amend(work, { status: next(contractMachine, contract.status, 'first_step_committed', { activationAhead: true }) });
  addEvent(work, 'v1.contract.signature.scheduled', contract.id, contract.created, { activation: contract.activation });
}

/**
 * Carries out one thing that is due; what it charges becomes fresh lines.
 *
 * @param at the instant at which it counts as done: its own or later
 * @throws LifecycleError when the contract's state doesn't allow the step
 * @example
 * const work = workOn(signs('2025-01-01', plan('pro', { price: '100' })), '2025-01-10');
 * perform(work, { kind: 'boundary', subject: '1', at: at('2025-02-01'), detail: {} }, at('2025-02-01'));
 * work.fresh.map(({ subtotal }) => subtotal) // ['100.00']
 */
export function perform(work: Work, { kind, subject, detail }: Due, at: Instant): void {
  const steps: Record<AgendaKind, () => void> = {
    usage_closing: () => closeRow(work, Number(subject), at),
    cancellation: () => end(work, at, 'canceled', work.snapshot.contract.cancellation?.credit ?? false),
    expiration: () => end(work, at, 'expired', false),
    trial_cancellation: () => end(work, at, 'trial_without_method', false),
    scheduled_change: () => moveToPending(work, at),
    activation: () => activate(work, at),
    trial_end: () => endTrial(work, at),
    boundary: () => nextPeriod(work, at),
    custom_charge: () => chargeCustom(work, detail.trigger as CustomTrigger, Number(detail.occurrence), at),
    trial_ending: () => tellOfTrialEnd(work, at),
  };
  steps[kind]();
}

function closeRow(work: Work, idx: number, at: Instant): void {
  const period = openRow(work, idx);
  if (period) closePeriod(work, period, at);
}

/** Activation: the trial begins, or the first period; an imported contract goes on in the period that runs. */
function activate(work: Work, at: Instant): void {
  const { contract: signed, customer } = work.snapshot;
  const { activation, trialDays, trialEnd: planned, status } = signed;
  const trigger = status === 'not_ready' ? 'first_step_committed' : 'activation_reached';
  const active = next(contractMachine, status, trigger, { activationReached: true });
  const trialEnd = at === activation ? planned : plannedTrialEnd(at, trialDays);
  const contract = amend(work, { ...datesFrom(signed, at, customer.pauses), status: active, activation: at, began: at, trialEnd });
  addEvent(work, 'v1.contract.signature.completed', contract.id, at);
  if (contract.trialEnd !== null) openUsage(work, contract, 0, at);
  else if (contract.currentIdx !== null) goOn(work, contract.currentIdx, at);
  else start(work, at);
}

/** Goes on in a period that another system has billed; its usage counts here from now on. */
function goOn(work: Work, idx: number, at: Instant): void {
  const { snapshot } = work;
  openUsage(work, amend(work, withDiscountEnd(snapshot.contract, snapshot.customer.pauses)), idx, at);
  addChargedElsewhere(work, at);
  grantLeftElsewhere(work, at);
}

function endTrial(work: Work, at: Instant): void {
  endUsage(work, 0, at);
  start(work, at);
}

function tellOfTrialEnd(work: Work, at: Instant): void {
  const contract = amend(work, { trialEndingSent: true });
  addEvent(work, 'v1.trial.ending', contract.id, at, { at: trialEndOf(contract, work.snapshot.customer.pauses) });
}

/**
 * Begins cycle 0: all boundaries are counted from this instant. An imported contract has its anchor already, and its
 * one-off prices were charged elsewhere.
 */
function start(work: Work, at: Instant): void {
  const isImported = work.snapshot.contract.start !== null;
  if (!isImported) amend(work, { start: at, firstCycle: 0 });
  amend(work, withDiscountEnd(work.snapshot.contract, work.snapshot.customer.pauses));
  openPeriod(work, 1, at);
  if (isImported) {
    addCustomElsewhere(work, at);
    return;
  }
  const { snapshot } = work;
  const span = periodBounds(snapshot.contract, 1, snapshot.customer.pauses);
  charge(work, snapshot.contract, firstCharges(snapshot.contract, { at, span, ratio: FULL, idx: 1 }), 1);
}

function nextPeriod(work: Work, at: Instant): void {
  const idx = work.snapshot.contract.currentIdx ?? 0;
  endUsage(work, idx, at);
  openPeriod(work, idx + 1, at);
  const { contract, customer } = work.snapshot;
  addEvent(work, 'v1.contract.renewed', contract.id, at, { idx: idx + 1, ...periodBounds(contract, idx + 1, customer.pauses) });
}

function openPeriod(work: Work, idx: number, at: Instant): void {
  const contract = amend(work, { currentIdx: idx });
  const { pauses } = work.snapshot.customer;
  openUsage(work, contract, idx, at);
  const span = paidBounds(contract, idx, pauses);
  const ratio = paidShare(contract, idx, span.start, span.end, pauses);
  charge(work, contract, recurringCharges(contract, { at, span, ratio, idx }, false), idx);
  grantCycle(work, contract, idx, at);
}

function chargeCustom(work: Work, trigger: CustomTrigger, k: number, at: Instant): void {
  const { customCharged } = work.snapshot.contract;
  const contract = amend(work, { customCharged: { ...customCharged, [trigger]: k } });
  const span = customBounds(contract, trigger, k, work.snapshot.customer.pauses);
  charge(work, contract, dueCustomCharges(contract, trigger, k, { at, span, ratio: FULL, idx: contract.currentIdx }), 1);
}

function moveToPending(work: Work, at: Instant): void {
  const { contract, successor } = work.snapshot;
  if (successor === null || successor.id !== contract.pendingChange?.successorId) {
    throw new Error(`the successor of ${contract.id} is missing from its snapshot`);
  }
  moveTo(work, successor, at, { time: 'later', strategy: contract.pendingChange.kind });
}

/**
 * The end of a contract by cancellation or expiration; a pending change goes with it, and shows where freezes had moved
 * it. Usage so far closes by its policy.
 *
 * @param credit gives back what was charged for the time ahead
 * @throws LifecycleError when the contract has ended already
 * @example
 * const work = workOn(signs('2025-06-01', plan('pro', { price: '100' })), '2025-06-16');
 * end(work, at('2025-06-16'), 'canceled', true);
 * work.fresh.map(({ subtotal }) => subtotal) // ['-50.00']
 */
export function end(work: Work, at: Instant, reason: EndReason, credit: boolean): void {
  movePending(work);
  const { contract, successor } = work.snapshot;
  const running = runningIdx(contract);
  // a span to an expiration that freezes don't move ends with it
  const until = isPeriodic(contract.terms.cycle) ? null : expirationAt(contract, work.snapshot.customer.pauses);
  if (credit) {
    giveBack(work, contract, at, { until });
    giveUpCredits(work, contract, at);
  }
  if (running !== null) for (const { idx } of work.snapshot.periods) if (idx >= running) endUsage(work, idx, at);
  if (successor?.isSuccessor) putContract(work, canceledSuccessor(successor, at));
  const status = next(contractMachine, contract.status, reason === 'expired' ? 'expire' : 'cancel');
  amend(work, { status, ended: at, pendingChange: null });
  chargeCorrections(work, at);
  addEvent(work, 'v1.contract.cancellation.completed', contract.id, at, { reason });
}
