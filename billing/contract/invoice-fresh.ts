import type { Instant } from '../calendar/instant.ts';
import { readDerivation } from '../explain/explain-line.ts';
import { assembleInvoice } from '../invoice/assemble.ts';
import type { ChargedLine, Line } from '../invoice/types.ts';
import { withoutUndone } from '../invoice/undone.ts';
import { dueOnInvoice } from './charge/charges.ts';
import { isLive } from './period/time.ts';
import type { Contract } from './types.ts';
import { addToSnapshot, type InvoiceWithLines, invoiceContext, payerOf, putContract, touch, type Work } from './work.ts';

/**
 * Puts the fresh lines of a contract on one invoice dated at the instant, with those that have waited for it; with any
 * trigger but `immediate` they wait. Usage lines without units make no invoice by themselves: they are stored for
 * corrections of their period.
 *
 * @returns the invoice written, null when there is none
 * @example
 * const work = workOn(signs('2025-06-01', plan('pro', { price: '100' })), '2025-06-16');
 * const { contract } = work.snapshot;
 * giveBack(work, contract, at('2025-06-16'));
 * const { invoice, lines } = invoiceFresh(work, contract, at('2025-06-16'));
 * invoice.total // '0.00'
 * lines.map(({ subtotal }) => subtotal) // ['-50.00', '50.00']
 */
export function invoiceFresh(work: Work, contract: Contract, at: Instant): InvoiceWithLines | null {
  const lines = work.fresh.filter((line) => payerOf(work, line) === contract.id);
  work.fresh = work.fresh.filter((line) => payerOf(work, line) !== contract.id);
  const collected = linesWaitingFor(work, contract);
  // a contract that has ended has no later invoice
  if (lines.length === 0 && (collected.length === 0 || isLive(contract))) return null;
  touch(work, contract);
  if (contract.configuration.invoiceTrigger !== 'immediate') {
    work.lines.push(...lines);
    addToSnapshot(work, contract, lines, null);
    return null;
  }
  if (work.waits.has(contract.id)) {
    keepWaiting(work, contract, collected, lines);
    return null;
  }
  const all = takeUp(work, contract, collected, lines, at);
  const made = assembleInvoice(all, invoiceContext(contract, at, work.newId));
  const isCollected = new Set(collected.map(({ id }) => id));
  const own = all.filter(({ id }) => !isCollected.has(id));
  if (made === null) {
    work.lines.push(...own.map((line): Line => ({ ...line, idle: true })));
    return null;
  }
  work.lines.push(...own);
  work.invoices.push(made.invoice);
  if (made.closing) work.lines.push(made.closing);
  if (made.wallet) work.wallet.push(made.wallet);
  addToSnapshot(work, contract, own, made.invoice.id);
  return { invoice: made.invoice, lines: made.closing ? [...all, made.closing] : all };
}

/**
 * The lines that the next invoice of a contract takes up: those of its chain that a change has let wait. A contract
 * that was changed into another leaves them to it, where both have the same currency.
 */
export function linesWaitingFor({ snapshot }: Work, { configuration, status, terms }: Contract): ChargedLine[] {
  const { waiting, successor } = snapshot;
  if (waiting.length === 0 || configuration.invoiceTrigger !== 'immediate') return [];
  const isLeft = status === 'moved' && (successor === null || successor.isSuccessor || successor.terms.currency === terms.currency);
  return isLeft ? [] : waiting.filter(({ currency }) => currency === terms.currency);
}

/**
 * Lets lines wait for the next invoice. Lines that undo each other, or undo a line that waits already, are taken back.
 */
function keepWaiting(work: Work, contract: Contract, collected: readonly ChargedLine[], lines: readonly Line[]): void {
  const fresh = lines.map((line): ChargedLine => ({ ...line, invoiceId: null }));
  const { left, undone } = takeBack(work, contract, collected, fresh);
  const wait = new Set(left);
  work.lines.push(...lines.map((line, index): Line => (wait.has(fresh[index] as ChargedLine) ? line : { ...line, idle: true })));
  leave(work, contract, left, undone);
}

/**
 * What an invoice takes up: the lines that have waited, due with the invoice at the earliest, and the fresh ones,
 * without those that undo each other.
 */
function takeUp(work: Work, contract: Contract, collected: readonly ChargedLine[], lines: readonly Line[], at: Instant): Line[] {
  if (collected.length === 0) return [...lines];
  const fresh = lines.map((line): ChargedLine => ({ ...line, invoiceId: null }));
  const { left, undone } = takeBack(work, contract, collected, fresh);
  const isTaken = new Set(left);
  const idle = new Set(lines.filter((_line, index) => !isTaken.has(fresh[index] as ChargedLine)));
  work.lines.push(...[...idle].map((line): Line => ({ ...line, idle: true })));
  leave(work, contract, [], [...collected, ...undone]);
  const waited = dueOnInvoice(
    contract,
    collected.filter((line) => isTaken.has(line)),
    at,
  );
  work.takenUp.push(...waited);
  return [...waited, ...lines.filter((line) => !idle.has(line))];
}

function takeBack(work: Work, contract: Contract, collected: readonly ChargedLine[], fresh: readonly ChargedLine[]) {
  const { left, undone } = withoutUndone([...collected, ...fresh], contract.status === 'canceled');
  const written = new Set(collected);
  work.undone.push(...undone.filter((line) => written.has(line)).map(({ id }) => id));
  const paysAgain = undone.flatMap((line) => (isLaterCredit(line) && line.creditOf !== null ? [line.creditOf] : []));
  if (paysAgain.length > 0) {
    const state = work.contracts.get(contract.id) ?? contract;
    putContract(work, { ...state, carried: { ...state.carried, goesOn: [...new Set([...state.carried.goesOn, ...paysAgain])] } });
  }
  return { left, undone };
}

/** Whether a credit gives back the time of its line that an earlier credit, which ended at a known end, had left. */
function isLaterCredit({ derivation }: ChargedLine): boolean {
  const credit = readDerivation(derivation);
  return credit.type === 'credit' && credit.credited.subtotal !== undefined;
}

/** Notes which lines wait from now on, and of which predecessors. */
function leave(work: Work, contract: Contract, left: readonly ChargedLine[], gone: readonly ChargedLine[]): void {
  const isGone = new Set([...left, ...gone].map(({ id }) => id));
  const waiting = [...work.snapshot.waiting.filter(({ id }) => !isGone.has(id)), ...left];
  work.snapshot = { ...work.snapshot, waiting };
  const state = work.contracts.get(contract.id) ?? contract;
  putContract(work, { ...state, carried: { ...state.carried, waiting: chainWaiting(waiting, contract.id) } });
}

/** The contracts, other than the given one, that have lines among those that wait. */
export function chainWaiting(waiting: readonly ChargedLine[], contractId: string): string[] {
  return [...new Set(waiting.flatMap((line) => line.contractId ?? []))].filter((id) => id !== contractId);
}
