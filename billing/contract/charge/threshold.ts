import type { Instant } from '../../calendar/instant.ts';
import { chargeLines } from '../../invoice/charge.ts';
import { withPart } from '../../invoice/parts.ts';
import type { Line } from '../../invoice/types.ts';
import { dec, sum } from '../../money/decimal.ts';
import { moneyText } from '../../money/round.ts';
import { type AdvanceLimit, flush, run } from '../advance/advance.ts';
import { nextDue } from '../period/schedule.ts';
import type { Contract, ContractSnapshot, NewId, Outcome, UsagePeriod } from '../types.ts';
import { finish, openWork, type Work } from '../work.ts';
import { chargesOfEach, usageSoFar } from './usage-charges.ts';

/** Whether open usage of a contract is ever invoiced before its period has closed. */
export const hasThreshold = ({ configuration }: Pick<Contract, 'configuration'>): boolean =>
  (configuration.invoiceThreshold ?? null) !== null;

/**
 * Invoices the open usage of a contract where it has come to the contract's invoice threshold: an invoice of what it
 * comes to by now, less what was charged of it before, however often the threshold fits into it. The closing of the
 * period charges the rest.
 *
 * Nothing is invoiced early while the customer is frozen, and while a payment gate is open, whose money is for usage
 * that isn't invoiced yet.
 *
 * @returns an outcome without effects where the threshold isn't reached, or there is none
 * @example
 * const offer = plan('pro', { features: { calls: usage('0.0002', { flatFee: '31' }) } });
 * const story = signs('2025-01-01', offer, { configuration: { invoiceThreshold: '200.00' } });
 * for (const date of ['2025-01-05', '2025-01-15']) {
 *   story.uses(date, 'calls', '1000000');
 *   story.does(date, planThreshold);
 * }
 * story.advance('2025-02-01');
 * story.ledger.invoices.map(({ total }) => total) // ['200.00', '200.00', '31.00']
 */
export function planThreshold(snapshot: ContractSnapshot, now: Instant, newId: NewId): Outcome {
  const untouched = { snapshot, effects: finish(openWork(snapshot, newId)).effects };
  if (!mayInvoiceEarly(snapshot)) return untouched;
  const work = openWork(snapshot, newId);
  run(work, now);
  return lookAtThreshold(work, now) ? finish(work) : untouched;
}

/**
 * Advances a contract; once nothing more is due, it looks at the invoice threshold, since what held early invoices back
 * (a payment gate, or much to catch up with) may have ended.
 *
 * @example
 * const story = signs('2025-01-01', plan('pro', { features: { calls: usage('1') } }), { configuration: { invoiceThreshold: '100.00' } });
 * story.uses('2025-01-05', 'calls', '120');
 * story.does('2025-01-06', (snapshot, now, newId) => advanceAndLook(snapshot, now, newId, { instants: 50 }));
 * invoicesOf(story) // ['2025-01-06 120.00: usage feature:calls 120.00']
 */
export function advanceAndLook(snapshot: ContractSnapshot, upTo: Instant, newId: NewId, limit: AdvanceLimit): Outcome {
  const work = openWork(snapshot, newId);
  run(work, upTo, limit);
  lookAtThreshold(work, upTo);
  return finish(work);
}

/**
 * Invoices open usage within the work of another rule, where the contract is up to date and the usage has come to the
 * threshold.
 *
 * @returns whether it has made an invoice
 */
export function lookAtThreshold(work: Work, now: Instant): boolean {
  if (!mayInvoiceEarly(work.snapshot) || isBehind(work.snapshot, now) || !isReached(work.snapshot, now)) return false;
  invoiceSoFar(work, now);
  return true;
}

/** Whether something is due that isn't carried out yet and may charge the usage itself. */
function isBehind(snapshot: ContractSnapshot, now: Instant): boolean {
  const due = nextDue(snapshot);
  return due !== undefined && due.at <= now;
}

function invoiceSoFar(work: Work, now: Instant): void {
  const lines = linesSoFar(work.snapshot, now, work.newId).filter(isSomething);
  work.fresh.push(...lines);
  work.snapshot = { ...work.snapshot, billed: lines.reduce(withPart, work.snapshot.billed) };
  flush(work, now);
}

/** Whether open usage may be invoiced now: there is a threshold, and no freeze or payment gate is in the way. */
export const mayInvoiceEarly = ({ contract, customer }: ContractSnapshot): boolean =>
  hasThreshold(contract) && customer.status !== 'inactive' && contract.gate === null;

/** Whether what open usage comes to, and wasn't charged yet, has reached the threshold. */
function isReached(snapshot: ContractSnapshot, now: Instant): boolean {
  const { invoiceThreshold } = snapshot.contract.configuration;
  return invoiceThreshold !== null && dec(openUsageOf(snapshot, now)).gte(invoiceThreshold);
}

/**
 * What the usage of a contract's open periods comes to, without what was charged of it before: before tax where prices
 * are without it.
 *
 * @example
 * const offer = plan('pro', { features: { calls: usage('1') } });
 * const story = signs('2025-01-01', offer, { configuration: { invoiceThreshold: '100.00' } });
 * story.uses('2025-01-05', 'calls', '99');
 * openUsageOf(workOn(story, '2025-01-05').snapshot, at('2025-01-05')) // '99.00'
 */
export function openUsageOf(snapshot: ContractSnapshot, now: Instant): string {
  const lines = linesSoFar(snapshot, now, (prefix) => prefix);
  return moneyText(sum(lines.map(({ subtotal }) => dec(subtotal))), snapshot.contract.terms.currency);
}

function linesSoFar(snapshot: ContractSnapshot, now: Instant, newId: NewId): Line[] {
  const { contract, tax } = snapshot;
  const charges = chargesOfEach(snapshot, begunPeriods(snapshot), (own, period) => usageSoFar(own, period, now));
  return chargeLines(charges, { currency: contract.terms.currency, tax, discount: null, newId });
}

/** Open periods whose usage may be invoiced: those that usage has made ahead of time begin first. */
export const begunPeriods = ({ contract, periods }: ContractSnapshot): UsagePeriod[] =>
  periods.filter(({ idx }) => contract.start !== null && idx <= (contract.currentIdx ?? 0));

const isSomething = ({ subtotal, totalIncludingTax }: Line): boolean => !dec(subtotal).isZero() || !dec(totalIncludingTax).isZero();
