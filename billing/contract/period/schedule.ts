import { DAY, type Instant } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { boundary, customRhythm } from '../../calendar/rhythm.ts';
import type { AgendaKind, AgendaRow, Contract, ContractSnapshot, UsagePeriod } from '../types.ts';
import { recurringSources, triggeredSources, usageSources } from './sources.ts';
import {
  activationOf,
  CUSTOM_TRIGGERS,
  cancellationAt,
  expirationAt,
  isLive,
  rhythmCycle,
  rhythmOf,
  trialEndingAt,
  trialEndOf,
  whenAt,
} from './time.ts';

/** Something that is due for a contract at an instant. */
export interface Due {
  kind: AgendaKind;
  subject: string;
  at: Instant;
  detail: Record<string, unknown>;
}

/**
 * The order of things due at one instant: usage closing · cancellation, expiration, end of a trial without a payment
 * method · scheduled change · trial end, activation · cycle charges · reminder of a trial's end. A call at that instant
 * comes after all of them.
 */
const ORDER: Record<AgendaKind, number> = {
  usage_closing: 0,
  cancellation: 1,
  expiration: 2,
  trial_cancellation: 3,
  scheduled_change: 4,
  trial_end: 5,
  activation: 6,
  boundary: 7,
  custom_charge: 8,
  trial_ending: 9,
};

/** What ends a contract for good. */
const LAST: readonly AgendaKind[] = ['cancellation', 'expiration'];
/** What ends a contract, or makes it go on as another. */
const ENDS: readonly AgendaKind[] = [...LAST, 'scheduled_change'];

/** By instant, then by `ORDER`, then by number of the period. */
function compareDue(a: Due, b: Due): number {
  return a.at - b.at || ORDER[a.kind] - ORDER[b.kind] || Number(a.detail.idx ?? 0) - Number(b.detail.idx ?? 0);
}

/**
 * All that is known to come for a contract, in the order in which it will happen. An ended contract has nothing but
 * usage to close; the scheduled successor of a pending change has nothing, since the change is on its predecessor's
 * agenda.
 *
 * @example duesOf(signs('2025-01-31', plan('pro')).contract(), [], [])[0].at // at('2025-02-28')
 */
export function duesOf(contract: Contract, periods: readonly UsagePeriod[], pauses: Pause[]): Due[] {
  if (contract.isSuccessor) return [];
  const dues = closings(contract, periods);
  if (isLive(contract)) dues.push(...endings(contract, pauses), ...beginnings(contract, pauses), ...charges(contract, pauses));
  return dues.sort(compareDue);
}

/**
 * The first thing that will happen to a contract as it is now. With a payment method the end of its trial doesn't
 * cancel it.
 *
 * @example
 * const offer = plan('pro', { trialDays: 14 });
 * const { snapshot } = workOn(signs('2025-01-01', offer, { configuration: { onTrialEnd: 'cancel_without_method' } }), '2025-01-13');
 * nextDue({ ...snapshot, customer: { ...snapshot.customer, hasMethod: false } }).kind // 'trial_cancellation'
 * nextDue({ ...snapshot, customer: { ...snapshot.customer, hasMethod: true } }).kind // 'trial_end'
 */
export function nextDue({ contract, periods, customer }: Pick<ContractSnapshot, 'contract' | 'periods' | 'customer'>): Due | undefined {
  return duesOf(contract, periods, customer.pauses).find(({ kind }) => kind !== 'trial_cancellation' || !customer.hasMethod);
}

/**
 * The instant of the first thing due at or before `now`, else `now`: lines that run at that instant or later may be
 * needed to advance a late contract.
 *
 * @example firstDueBy(signs('2025-01-01', plan('pro')).contract(), [], [], at('2025-03-10')) // at('2025-02-01')
 */
export function firstDueBy(contract: Contract, periods: readonly UsagePeriod[], pauses: Pause[], now: Instant): Instant {
  const [first] = duesOf(contract, periods, pauses);
  return first !== undefined && first.at < now ? first.at : now;
}

/** Whether a contract has usage prices: closing a period then makes lines and not only a new state of its row. */
export function hasUsage({ terms }: Pick<Contract, 'terms'>): boolean {
  return usageSources(terms).length > 0;
}

function closings(contract: Contract, periods: readonly UsagePeriod[]): Due[] {
  // Without usage prices a period closes with the step that ends it.
  if (!hasUsage(contract)) return [];
  return periods.flatMap(({ idx, closesAt, status, from, until }): Due[] =>
    closesAt === null || status === 'closed'
      ? []
      : [{ kind: 'usage_closing', subject: String(idx), at: closesAt, detail: { idx, from, until } }],
  );
}

function endings(contract: Contract, pauses: Pause[]): Due[] {
  const { cancellation, pendingChange } = contract;
  const dues: Due[] = [];
  add(dues, 'cancellation', contract.id, cancellationAt(contract, pauses), { credit: cancellation?.credit });
  add(dues, 'expiration', contract.id, expirationAt(contract, pauses));
  add(dues, 'scheduled_change', pendingChange?.successorId ?? '', pendingChange && whenAt(contract, pendingChange.when, pauses), {
    successorId: pendingChange?.successorId,
    change: pendingChange?.kind,
  });
  return dues;
}

function beginnings(contract: Contract, pauses: Pause[]): Due[] {
  const dues: Due[] = [];
  const waits = contract.status === 'not_ready' || contract.status === 'scheduled';
  if (waits) add(dues, 'activation', contract.id, activationOf(contract, pauses));
  if (contract.status === 'active' && contract.start === null) {
    const at = trialEndOf(contract, pauses);
    if (contract.configuration.onTrialEnd === 'cancel_without_method') add(dues, 'trial_cancellation', contract.id, at);
    add(dues, 'trial_end', contract.id, at);
    if (!contract.trialEndingSent) add(dues, 'trial_ending', contract.id, trialEndingAt(contract, pauses));
  }
  return dues;
}

function charges(contract: Contract, pauses: Pause[]): Due[] {
  const { carried, currentIdx, customCharged, terms } = contract;
  if (currentIdx === null) return [];
  const dues: Due[] = [];
  const n = rhythmCycle(contract, currentIdx + 1);
  add(dues, 'boundary', String(n), boundary(rhythmOf(contract, pauses), n), { idx: currentIdx + 1 });
  for (const trigger of CUSTOM_TRIGGERS) {
    const sources = triggeredSources(terms, trigger);
    if (sources.length === 0) continue;
    const ahead = Math.min(...sources.map(({ source }) => carried.chargedAhead?.[source] ?? -1));
    const last = Math.max(customCharged[trigger], ahead);
    const next = boundary(customRhythm(rhythmOf(contract, pauses).start, trigger, pauses), last + 1);
    add(dues, 'custom_charge', `${trigger}:${last + 1}`, next, { trigger, occurrence: last + 1 });
  }
  return dues;
}

function add(dues: Due[], kind: AgendaKind, subject: string, at: Instant | null, detail: Record<string, unknown> = {}): void {
  if (at !== null) dues.push({ kind, subject, at, detail });
}

/**
 * The agenda rows of a contract: what is due, when and why. While the customer is frozen these are only the closings of
 * periods that ended before, and what a late contract should have done before. A month, quarter or year charge at a
 * cycle's boundary has no row of its own, since the boundary's row brings it too; what would come after the contract's
 * end has none, since it won't happen.
 *
 * @example agendaOf(signs('2025-01-31', plan('pro')).contract(), [], [])[0].dueAt // at('2025-02-28')
 */
export function agendaOf(contract: Contract, periods: readonly UsagePeriod[], pauses: Pause[]): AgendaRow[] {
  const dues = duesOf(contract, periods, pauses);
  const boundaryAt = dues.find(({ kind }) => kind === 'boundary')?.at;
  const endsAt = dues.find(({ kind }) => ENDS.includes(kind))?.at ?? Number.POSITIVE_INFINITY;
  const last = dues.find(({ kind }) => LAST.includes(kind));
  const rows = dues
    .filter(({ kind, at }) => kind !== 'custom_charge' || at !== boundaryAt)
    .filter(({ kind, at }) => ENDS.includes(kind) || kind === 'usage_closing' || at < endsAt)
    .filter((due) => !ENDS.includes(due.kind) || last === undefined || compareDue(due, last) <= 0);
  return rows.map((due) => ({
    contractId: contract.id,
    kind: due.kind,
    subject: due.subject,
    dueAt: due.at,
    remindAt: bringsInvoice(contract, due, rows, dues) ? remindAt(contract, due, pauses) : null,
    detail: due.detail,
  }));
}

/** What charges something by itself. */
const CHARGING: readonly AgendaKind[] = ['scheduled_change', 'boundary', 'custom_charge'];
const BEFORE_INVOICE = 3 * DAY;

/**
 * Whether something due makes an invoice that no other row of its instant stands for; of a trial's end there is a
 * reminder of its own.
 */
function bringsInvoice(contract: Contract, { kind, subject, at }: Due, rows: readonly Due[], dues: readonly Due[]): boolean {
  const hasBeside = (among: readonly Due[], kinds: readonly AgendaKind[]): boolean =>
    among.some((other) => other.at === at && kinds.includes(other.kind));
  switch (kind) {
    case 'usage_closing':
      return subject !== TRIAL && !hasBeside(rows, CHARGING);
    case 'boundary':
      return recurringSources(contract.terms).length > 0 || hasBeside(dues, ['usage_closing', 'custom_charge']);
    case 'activation':
      return contract.trialEnd === null && chargesAtOnce(contract);
    default:
      return CHARGING.includes(kind);
  }
}

/** The usage period of a free trial, as the subject of its row. */
const TRIAL = '0';

const chargesAtOnce = ({ terms }: Contract): boolean =>
  recurringSources(terms).length > 0 || [...CUSTOM_TRIGGERS, 'first_cycle' as const].some((one) => triggeredSources(terms, one).length > 0);

/**
 * When a reminder is sent of the invoice that something due will make: three days before it.
 *
 * @returns null where no invoice is made by itself, in a trial, and in a period that is no longer than three days
 * @example
 * const contract = signs('2025-01-01', plan('pro')).contract();
 * remindAt(contract, duesOf(contract, [], [])[0], []) // at('2025-01-29')
 */
export function remindAt(contract: Contract, { kind, at }: Pick<Due, 'kind' | 'at'>, pauses: Pause[]): Instant | null {
  const { configuration, currentIdx, created } = contract;
  if (configuration.invoiceTrigger !== 'immediate' || (currentIdx === null && kind !== 'activation')) return null;
  const began = currentIdx === null ? created : boundary(rhythmOf(contract, pauses), rhythmCycle(contract, currentIdx));
  const reminder = at - BEFORE_INVOICE;
  return began !== null && reminder <= began ? null : reminder;
}
