import { isPeriodic } from '../../calendar/cycle.ts';
import type { Instant } from '../../calendar/instant.ts';
import { FULL } from '../../calendar/ratio.ts';
import { customRhythm, indexOf } from '../../calendar/rhythm.ts';
import { assembleInvoice } from '../../invoice/assemble.ts';
import { chargeLines } from '../../invoice/charge.ts';
import type { ChargedLine, Line } from '../../invoice/types.ts';
import { dueCustomCharges, dueOnInvoice, recurringCharges } from '../charge/charges.ts';
import { discountIn } from '../period/cycles-left.ts';
import { CUSTOM_TRIGGERS, customBounds, periodBounds, periodShare, rhythmOf, trialEndOf } from '../period/time.ts';
import type { Contract, ContractSnapshot, NewId, When } from '../types.ts';
import { type InvoiceWithLines, invoiceContext, openWork } from '../work.ts';
import { type CreditsMoved, creditsMoved } from './change-credits.ts';
import { moveTo } from './move.ts';

/** What a change that waits will bring: the contract it makes, as it begins, and its first invoice. */
export interface Preview {
  /** the old contract just before the change */
  old: Contract;
  fresh: Contract;
  invoices: InvoiceWithLines[];
  /** what the change gives of the new plan's credits, and takes back of the old one's */
  credits: CreditsMoved;
}

/**
 * Carries out a pending change in memory at the instant it is due, on the contract as it will be then, without the
 * steps of the time between. Usage is left out: it isn't known yet.
 *
 * @example
 * const story = signs('2025-01-01', plan('pro', { price: '100' }));
 * changes(story, '2025-01-10', toPlan(plan('basic', { price: '40' })));
 * const { snapshot, newId } = workOn(story, '2025-01-20');
 * const when = { type: 'boundary', n: 1 };
 * const { invoices } = previewChange(snapshot, snapshot.successor, when, at('2025-02-01'), newId);
 * invoices[0].invoice.total // '40.00'
 */
export function previewChange(snapshot: ContractSnapshot, successor: Contract, when: When, at: Instant, newId: NewId): Preview {
  const ahead = fastForward(snapshot, when, at, newId);
  const work = openWork({ ...ahead, successor }, newId);
  moveTo(work, successor, at, { time: 'later', strategy: snapshot.contract.pendingChange?.kind ?? 'new_plan' });
  const fresh = work.contracts.get(successor.id) ?? successor;
  const lines = work.fresh.filter(({ contractId }) => contractId === successor.id);
  return { old: ahead.contract, fresh, invoices: estimatedInvoices(lines, fresh, at, newId), credits: creditsMoved(work, successor.id) };
}

/**
 * The invoice that lines would make; it is only shown. None without lines.
 *
 * @example
 * const contract = signs('2025-01-01', plan('pro')).contract();
 * const lines = chargeLines([charge(price('40'), { dueDate: at('2025-02-01') })], context());
 * estimatedInvoices(lines, contract, at('2025-02-01'), newId)[0].invoice.total // '40.00'
 */
export function estimatedInvoices(lines: Line[], contract: Contract, at: Instant, newId: NewId): InvoiceWithLines[] {
  const due = dueOnInvoice(contract, lines, at);
  const made = assembleInvoice(due, invoiceContext(contract, at, newId));
  return made ? [{ invoice: made.invoice, lines: made.closing ? [...due, made.closing] : due }] : [];
}

/** The snapshot as it will be just before `at`, with the lines that will be running then. */
function fastForward(snapshot: ContractSnapshot, when: When, at: Instant, newId: NewId): ContractSnapshot {
  const { contract, customer } = snapshot;
  const { pauses } = customer;
  const start = contract.start ?? trialEndOf(contract, pauses);
  const base: ContractSnapshot = { ...snapshot, periods: [], corrections: [] };
  if (start === null || at <= start) return base;
  const begun = { ...contract, start };
  const n = when.type === 'boundary' ? when.n - 1 : indexOf(rhythmOf(begun, pauses), at);
  const idx = n - contract.firstCycle + 1;
  const then = { ...begun, currentIdx: idx };
  return { ...base, contract: then, running: runningAt(snapshot, then, at, newId) };
}

type Running = Contract & { start: Instant; currentIdx: number };

/** Lines of a period that ends with the change are included: they have no unused time. */
function runningAt(snapshot: ContractSnapshot, then: Running, at: Instant, newId: NewId): ChargedLine[] {
  const { tax, customer, contract } = snapshot;
  const { pauses } = customer;
  const idx = then.currentIdx;
  const lines: ChargedLine[] = [...snapshot.running];
  const context = { currency: then.terms.currency, tax, discount: discountIn(then, idx, pauses), newId };
  const add = (made: Line[]): void => void lines.push(...made.map((line) => ({ ...line, invoiceId: null })));
  if (idx !== contract.currentIdx && isPeriodic(then.terms.cycle)) {
    const span = periodBounds(then, idx, pauses);
    const occasion = { at: span.start, span, ratio: periodShare(then, idx, span.start, span.end, pauses), idx };
    add(chargeLines(recurringCharges(then, occasion, false), context));
  }
  for (const trigger of CUSTOM_TRIGGERS) {
    const rhythm = customRhythm(then.start, trigger, pauses);
    const k = indexOf(rhythm, at - 1);
    if (k <= contract.customCharged[trigger]) continue;
    const span = customBounds(then, trigger, k, pauses);
    add(chargeLines(dueCustomCharges(then, trigger, k, { at: span.start, span, ratio: FULL, idx }), { ...context, discount: null }));
  }
  return lines;
}
