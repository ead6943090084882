import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { ChangePlan } from '../../billing/contract/change/change.ts';
import type { Contract, Effects } from '../../billing/contract/types.ts';
import type { InvoiceWithLines } from '../../billing/contract/work.ts';
import { dec, sum, ZERO } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { Database } from '../../db/connect.ts';
import { Customer } from '../../db/entities/customer.ts';
import { PaymentGate } from '../../db/entities/payment-gate.ts';
import { Vendor } from '../../db/entities/vendor.ts';
import { unwrittenLines } from '../credit/use.ts';
import { type Method, readMethod } from '../payment/method.ts';
import { foreseePayments } from '../wallet/foresee.ts';

/** How the invoices of a change will be paid. Amounts are text in the contract's currency. */
export interface ChangePayment {
  /** invoices that are made with the change */
  invoices: InvoiceWithLines[];
  /** their sum */
  total: string;
  /** surplus that goes to the wallet */
  toWallet: string;
  /** what prepaid credits and the wallet pay of them */
  fromCredits: string;
  fromWallet: string;
  /** what is left to pay, and when it is due */
  due: string;
  dueAt: Instant;
  /** what is charged for it without anybody's doing; null: the customer pays the invoice */
  method: Method | null;
}

/**
 * How the invoices that a change makes at once will be paid: by the wallet first, then by the method that pays by
 * itself, else by the customer.
 */
export async function paymentOf(
  db: Database,
  contract: Contract,
  plan: Pick<ChangePlan, 'outcome' | 'remainsToPay' | 'priceOnNew'>,
): Promise<ChangePayment> {
  const { currency } = contract.terms;
  const { effects } = plan.outcome;
  const made = new Set(effects.invoices.map(({ id }) => id));
  const invoices = [...plan.remainsToPay, ...plan.priceOnNew].filter(({ invoice }) => made.has(invoice.id));
  const ids = new Set(invoices.map(({ invoice }) => invoice.id));
  const surplus = sum(effects.wallet.filter(({ invoiceId }) => ids.has(invoiceId)).map(({ amount }) => dec(amount)));
  // a gate that is open for the contract ends with the change, and what it holds is free
  const gained = surplus.plus(contract.gate?.fromWallet ?? '0');
  const { fromCredits, fromWallet } = await paysItself(db, contract, invoices, { surplus: moneyText(gained, currency), effects });
  const total = sum(invoices.map(({ invoice }) => dec(invoice.total)));
  const due = total.minus(fromCredits).minus(fromWallet);
  return {
    invoices,
    total: moneyText(total, currency),
    toWallet: moneyText(surplus, currency),
    fromCredits,
    fromWallet,
    due: moneyText(due, currency),
    dueAt: Math.min(
      ...invoices.filter(({ invoice }) => dec(invoice.total).gt(ZERO)).map(({ invoice }) => invoice.dueDate),
      Number.MAX_SAFE_INTEGER,
    ),
    method: due.gt(ZERO) ? await payingMethod(db.em(), contract, invoices) : null,
  };
}

async function paysItself(
  db: Database,
  contract: Contract,
  fresh: readonly InvoiceWithLines[],
  { surplus, effects }: { surplus: string; effects: Effects },
): Promise<{ fromCredits: string; fromWallet: string }> {
  const { customerId, terms } = contract;
  const newInvoices = fresh.map(({ invoice: { id, date, dueDate, total } }) => ({ id, date, dueDate, remaining: total }));
  const placed = fresh.map(({ invoice: { id, date }, lines }) => ({ id, date, lines }));
  const lines = await unwrittenLines(db, placed, effects.contracts);
  const gate = contract.gate === null ? null : await db.em().findOne(PaymentGate, { contractId: contract.gate.contractId });
  const owner = { customerId, currency: terms.currency };
  const payments = await foreseePayments(db, owner, { surplus, newInvoices, lines, freed: gate?.holds ?? [] });
  const own = newInvoices.flatMap(({ id }) => payments.get(id) ?? []);
  return {
    fromCredits: moneyText(sum(own.map(({ fromCredits }) => dec(fromCredits))), terms.currency),
    fromWallet: moneyText(sum(own.map(({ fromWallet }) => dec(fromWallet))), terms.currency),
  };
}

/** The customer's default method where it will be charged: of an active customer, from the vendor's least amount on. */
async function payingMethod(em: EntityManager, contract: Contract, invoices: readonly InvoiceWithLines[]): Promise<Method | null> {
  const { vendorId, customerId, terms } = contract;
  const customer = await em.findOneOrFail(Customer, { id: customerId });
  const vendor = await em.findOneOrFail(Vendor, { id: vendorId });
  const least = dec(vendor.paymentThreshold[terms.currency] ?? '0');
  const isCollected = invoices.some(({ invoice }) => invoice.automatic && dec(invoice.total).gt(ZERO) && dec(invoice.total).gte(least));
  if (customer.status !== 'active' || !isCollected) return null;
  const method = await readMethod(em, vendorId, customerId, customer.defaultPayment);
  return method?.status === 'active' && method.provider !== 'self_handled' ? method : null;
}
