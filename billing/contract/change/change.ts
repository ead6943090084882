import type { Instant } from '../../calendar/instant.ts';
import type { Period } from '../../calendar/rhythm.ts';
import type { Line } from '../../invoice/types.ts';
import { contractMachine } from '../../lifecycle/contract.ts';
import { initialState, next } from '../../lifecycle/machine.ts';
import { run } from '../advance/advance.ts';
import { type Breakdown, breakdownOf, type Part, partsLater, partsNow } from '../charge/breakdown.ts';
import { invoiceFresh } from '../invoice-fresh.ts';
import { transferredCycles } from '../period/cycles-left.ts';
import { activationOf, periodBounds, plannedTrialEnd, rhythmOf, trialEndOf } from '../period/time.ts';
import type { FollowedRule } from '../terms/change-rules.ts';
import { notBegun } from '../terms/not-begun.ts';
import { requireActiveCustomer, requireLive } from '../terms/require.ts';
import type { Contract, ContractSnapshot, NewId, Outcome } from '../types.ts';
import { addEvent, amend, finish, type InvoiceWithLines, openWork, payerOf, putContract, type Work } from '../work.ts';
import { type CreditsMoved, creditsMoved } from './change-credits.ts';
import { type ChangeRequest, type Target, targetOf } from './change-request.ts';
import { moveTo } from './move.ts';
import { dropPending, renewPending } from './pending.ts';
import { estimatedInvoices, previewChange } from './preview.ts';
import { ruleOf } from './rule-of.ts';
import { expirationOf } from './successor.ts';
import { type Timing, timingOf } from './timing.ts';
import { usageAhead } from './usage-ahead.ts';

/** A computed change of plan or units: the estimate shows it, the upgrade writes its outcome. */
export interface ChangePlan {
  isDowngrade: boolean;
  /** the instant the change takes effect, as known by now */
  activation: Instant;
  outcome: Outcome;
  /** invoices of the new contract's first billing period; estimated ones where they are made later or by a caller */
  priceOnNew: InvoiceWithLines[];
  /** what the old contract still owes */
  remainsToPay: InvoiceWithLines[];
  breakdown: Breakdown;
  /** the billing period that goes on, or the new one */
  newContractPeriod: Period;
  newContractId: string;
  credits: CreditsMoved;
  /** the rule it follows */
  rule: FollowedRule;
}

type Computed = Omit<ChangePlan, 'rule'>;

/**
 * Computes a change of plan or units at an instant. Estimate and upgrade share this computation.
 *
 * @param now the instant for which the snapshot's usage totals were read
 * @throws Refusal `nothing_to_change`, `contract_ended`, `customer_frozen`, `currency_change_mid_cycle`, `past_date`,
 *   `cycle_end_unknown`, `plan_mismatch`, `discount_currency`
 * @throws BillingError with the problems of units and prices, under their wire names
 * @example
 * const { snapshot, newId } = workOn(signs('2025-06-01', plan('pro', { price: '100' })), '2025-06-16');
 * const change = planChange(snapshot, toPlan(plan('max', { price: '300' })), at('2025-06-16'), newId);
 * change.outcome.effects.lines.map(({ subtotal }) => subtotal) // ['-50.00', '150.00']
 * change.breakdown.total // '100.00'
 */
export function planChange(snapshot: ContractSnapshot, request: ChangeRequest, now: Instant, newId: NewId): ChangePlan {
  requireActiveCustomer(snapshot);
  const work = openWork(snapshot, newId);
  run(work, now);
  requireLive(work.snapshot.contract);
  const { contract, customer } = work.snapshot;
  const target = targetOf(contract, request, newId);
  const rule = ruleOf(contract, target, request.strategy);
  const isDowngrade = isDown(rule);
  if (contract.status !== 'active') return { ...replaceUnstarted(work, target, isDowngrade, now), rule };
  const changesCurrency = contract.terms.currency !== target.terms.currency;
  const direction = { isDowngrade, changesCurrency, downgradeAllowed: request.downgradeAllowed, when: rule.when };
  const timing = timingOf(contract, request.activation, direction, now, customer.pauses);
  const plan =
    timing.type === 'now' ? changeNow(work, request, target, rule, now) : changeLater(work, request, target, timing, isDowngrade, now);
  return { ...plan, rule };
}

const isDown = ({ direction }: FollowedRule): boolean => direction === 'downgrade' || direction === 'units_down';

function changeNow(work: Work, request: ChangeRequest, target: Target, rule: FollowedRule, now: Instant): Computed {
  const { contract: old, successor: pending, customer } = work.snapshot;
  const { pauses } = customer;
  const isPendingKept = request.strategy === 'change_unit_count' && old.pendingChange?.kind === 'new_plan';
  if (!isPendingKept) dropPending(work, now);
  const waiting = work.snapshot.waiting;
  const planned = plannedSuccessor(old, target, now, now, work.newId);
  moveTo(work, planned, now, { time: 'now', strategy: request.strategy, rule });
  if (isPendingKept && pending) renewPending(work, old, pending, request);

  const fresh = work.contracts.get(planned.id) ?? planned;
  // what waits for a call waits on the old contract; what waits for the next invoice may be taken up by this change
  const isByCall = old.configuration.invoiceTrigger !== 'immediate';
  const own = invoiceWaiting(work, work.snapshot.contract, isByCall ? waiting : [], now);
  const later = usageAhead(work, now);
  const priceOnNew = invoiceWaiting(work, fresh, [], now);
  const isLeft = !isByCall && (work.waits.has(fresh.id) || work.snapshot.waiting.length > 0);
  const remainsToPay = [...own, ...(isLeft ? estimatedInvoices(waiting, old, now, work.newId) : [])];
  const parts = partsNow(old, fresh, now, pauses);
  return {
    isDowngrade: isDown(rule),
    activation: now,
    outcome: finish(work),
    priceOnNew,
    remainsToPay: [...remainsToPay, ...later],
    breakdown: breakdownOf({ old, fresh }, parts, { old: remainsToPay, fresh: priceOnNew, later }),
    newContractPeriod: firstPeriod(fresh, now, pauses),
    newContractId: fresh.id,
    credits: creditsMoved(work, fresh.id),
  };
}

/**
 * Writes the fresh lines of a contract; with a trigger other than `immediate`, or by a rule that collects later, they
 * wait, and the invoice is only shown. Lines that take back all that has waited make none.
 */
function invoiceWaiting(work: Work, contract: Contract, waiting: Line[], at: Instant): InvoiceWithLines[] {
  const lines = work.fresh.filter((line) => payerOf(work, line) === contract.id);
  const isShown = contract.configuration.invoiceTrigger !== 'immediate' || work.waits.has(contract.id);
  const made = invoiceFresh(work, contract, at);
  if (made) return [made];
  return isShown ? estimatedInvoices([...waiting, ...lines], contract, at, work.newId) : [];
}

function changeLater(
  work: Work,
  request: ChangeRequest,
  target: Target,
  { when, at }: Extract<Timing, { type: 'later' }>,
  isDowngrade: boolean,
  now: Instant,
): Computed {
  dropPending(work, now);
  const { contract: old, customer } = work.snapshot;
  const planned = plannedSuccessor(old, target, at, now, work.newId);
  work.snapshot = { ...work.snapshot, successor: planned };
  putContract(work, planned);
  const { activation: asked } = request;
  const isDeferred = isDowngrade && (asked === null || asked.type === 'immediate' || (asked.type === 'date' && asked.date !== at));
  amend(work, { pendingChange: { successorId: planned.id, when, kind: request.strategy, isDowngrade: isDeferred, requestedAt: now } });
  addEvent(work, 'v1.contract.change.scheduled', old.id, now, { successorId: planned.id, at });
  const preview = previewChange(work.snapshot, planned, when, at, work.newId);
  putContract(work, { ...planned, ...cyclesFrom(preview.fresh) });
  const outcome = finish(work);

  const partsThen = when.type === 'boundary' ? partsLater : partsNow;
  const parts = partsThen(preview.old, preview.fresh, at, customer.pauses);
  const breakdown = breakdownOf({ old: preview.old, fresh: preview.fresh }, parts, { old: [], fresh: [], later: [] });
  return {
    isDowngrade,
    activation: at,
    outcome,
    priceOnNew: preview.invoices,
    remainsToPay: [],
    breakdown,
    newContractPeriod: firstPeriod(preview.fresh, at, customer.pauses),
    newContractId: planned.id,
    credits: preview.credits,
  };
}

/**
 * The cycle that a contract begins with, and what is left of its discount by then, for those who read it before. The
 * change itself counts again.
 */
function cyclesFrom({ cyclesBefore, cyclesLeft, freeCycles, discount }: Contract): Partial<Contract> {
  if (discount === null) return { cyclesBefore, cyclesLeft, freeCycles };
  const { endsAt: _, ...counted } = discount;
  return { cyclesBefore, cyclesLeft, freeCycles, discount: counted };
}

/**
 * A pending or scheduled contract is replaced by one in the same status with the same activation; nothing is charged.
 */
function replaceUnstarted(work: Work, target: Target, isDowngrade: boolean, now: Instant): Computed {
  const { contract: old, customer } = work.snapshot;
  const status = initialState(contractMachine, 'replace_unstarted', {
    isPending: old.status === 'pending',
    activationAhead: old.status === 'scheduled',
  });
  const fresh: Contract = { ...old, ...target, status, id: work.newId('Cont'), predecessorId: old.id, created: now };
  fresh.expiration = expirationOf(old, fresh, now, customer.pauses);
  if (fresh.terms.cycle !== old.terms.cycle) fresh.offset = null;
  Object.assign(fresh, transferredCycles(old, fresh, now, false, customer.pauses));
  amend(work, { status: next(contractMachine, old.status, 'change'), ended: now, successorId: fresh.id, cancellation: null });
  putContract(work, fresh);
  addEvent(work, 'v1.contract.change.completed', old.id, now, { successorId: fresh.id });
  const activation = activationOf(fresh, customer.pauses) ?? now;
  const begun: Contract = { ...fresh, activation, trialEnd: plannedTrialEnd(activation, fresh.trialDays) };
  const idle: Part = { period: { start: now, end: null }, ratio: { part: 0, whole: 1 }, hours: 0 };
  return {
    isDowngrade,
    activation: old.activation ?? now,
    outcome: finish(work),
    priceOnNew: [],
    remainsToPay: [],
    breakdown: breakdownOf({ old, fresh }, { old: idle, fresh: idle }, { old: [], fresh: [], later: [] }),
    newContractPeriod: firstPeriod(begun, activation, customer.pauses),
    newContractId: fresh.id,
    credits: { given: [], back: [] },
  };
}

/** The first billing period of a contract that begins at `at`, or after its trial. */
function firstPeriod(contract: Contract, at: Instant, pauses: ContractSnapshot['customer']['pauses']): Period {
  if (contract.start !== null) return periodBounds(contract, 1, pauses);
  const start = trialEndOf(contract, pauses) ?? at;
  const begun: Contract = { ...contract, start };
  return { start: rhythmOf(begun, pauses).start, end: periodBounds(begun, 1, pauses).end };
}

function plannedSuccessor(old: Contract, target: Target, at: Instant, now: Instant, newId: NewId): Contract {
  return {
    ...old,
    ...target,
    ...notBegun(),
    id: newId('Cont'),
    predecessorId: old.id,
    isSuccessor: true,
    status: initialState(contractMachine, 'change'),
    created: now,
    activation: at,
    trialDays: 0,
    trialEnd: null,
  };
}
