import { type OpenInvoice, settle } from '../../billing/invoice/settlement.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, sum, ZERO } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { Database } from '../../db/connect.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import { Wallet } from '../../db/entities/wallet.ts';
import { type OpenGrant, readOpenGrants } from '../../db/sql/credit/lock-grants.ts';
import type { DatedLine } from '../credit/coverable.ts';
import { coverableLinesOf, planUses, usable } from '../credit/use.ts';
import type { CreditHold } from '../payment-gate/collectable.ts';

/**
 * How many open invoices are read at most. Once a wallet has money hardly any stays open for long: it pays them all, in
 * steps.
 */
const MOST_OPEN = 1_000;

/** What is to come: money that the wallet gains, and invoices that are made. */
interface ToCome {
  surplus?: string;
  newInvoices?: readonly OpenInvoice[];
  /** lines of the new invoices, by invoice */
  lines?: ReadonlyMap<string, readonly DatedLine[]>;
  /** prepaid credits that gates hold, and that are free by then */
  freed?: readonly CreditHold[];
  /** prepaid credits that are granted now */
  granted?: readonly OpenGrant[];
}

/** What prepaid credits and the wallet pay of an invoice; `remaining` is left to pay afterwards. */
export interface ForeseenPayment {
  fromCredits: string;
  fromWallet: string;
  remaining: string;
}

type Owner = { customerId: string; currency: Currency };

/**
 * What a customer's prepaid credits and wallet will pay, by the rules that they pay by and from what is stored now: the
 * wallet gains the surplus first, and then credits and wallet pay what is open, the oldest due first. Invoices that are
 * being charged are left to their payment.
 *
 * @returns the payments by invoice
 */
export async function foreseePayments(
  db: Database,
  owner: Owner,
  { surplus = '0', newInvoices = [], lines = new Map(), freed = [], granted = [] }: ToCome = {},
): Promise<Map<string, ForeseenPayment>> {
  const { customerId, currency } = owner;
  const em = db.em();
  const wallet = await em.findOne(Wallet, { customerId, currency });
  const free = dec(wallet?.balance ?? '0').minus(dec(wallet?.held ?? '0'));
  const balance = moneyText(free.plus(surplus), currency);
  const grants = [...withoutHolds(await readOpenGrants(db, [owner]), freed), ...granted];
  if (dec(balance).isZero() && grants.length === 0) return new Map();
  const open = await openOf(db, owner);
  const invoices = [...open, ...newInvoices];
  const byCredits = await creditsOf(db, grants, { open, invoices, lines });
  const left = invoices.map((one) => ({
    ...one,
    remaining: dec(one.remaining)
      .minus(byCredits.get(one.id) ?? ZERO)
      .toFixed(),
  }));
  const byWallet = new Map(settle(balance, left, currency).payments.map((payment) => [payment.invoiceId, payment.amount]));
  const payments = left.map(({ id, remaining }): [string, ForeseenPayment] => {
    const fromWallet = byWallet.get(id) ?? '0';
    const money = (value: Parameters<typeof moneyText>[0]) => moneyText(value, currency);
    const fromCredits = money(byCredits.get(id) ?? ZERO);
    return [id, { fromCredits, fromWallet: money(fromWallet), remaining: money(dec(remaining).minus(fromWallet)) }];
  });
  return new Map(payments);
}

/** Grants with what gates hold of them set free. */
export function withoutHolds(grants: readonly OpenGrant[], freed: readonly CreditHold[]): OpenGrant[] {
  return grants.map((one) => {
    const own = sum(freed.filter(({ grant }) => grant === one.id).map(({ amount }) => dec(amount)));
    return { ...one, held: dec(one.held).minus(own).toFixed() };
  });
}

/** Grants with what of them pays the customer's open invoices taken off: they do so as soon as they may. */
export async function afterOpen(db: Database, owner: Owner, grants: readonly OpenGrant[]): Promise<OpenGrant[]> {
  const open = grants.length === 0 ? [] : await openOf(db, owner);
  if (open.length === 0) return [...grants];
  const uses = await planUses(db, [{ grants: grants.map(usable), invoices: open }], await coverableLinesOf(db, open));
  return grants.map((one) => {
    const own = sum(uses.filter(({ grantId }) => grantId === one.id).map(({ amount }) => dec(amount)));
    return { ...one, balance: dec(one.balance).minus(own).toFixed() };
  });
}

/** Invoices that credits and wallet may pay; those that are being charged are left to their payment. */
async function openOf(db: Database, { customerId, currency }: Owner): Promise<OpenInvoice[]> {
  const found = await db
    .em()
    .find(
      Invoice,
      { customerId, currency, status: 'ready_for_payment', amountDue: { $gt: '0' }, depositTransactionStatus: { $ne: 'processing' } },
      { orderBy: { dueDate: 'asc', date: 'asc', id: 'asc' }, limit: MOST_OPEN },
    );
  return found.map(({ id, date, dueDate, amountDue: remaining }) => ({ id, date, dueDate, remaining }));
}

interface Covered {
  open: readonly OpenInvoice[];
  invoices: readonly OpenInvoice[];
  lines: ReadonlyMap<string, readonly DatedLine[]>;
}

async function creditsOf(db: Database, grants: readonly OpenGrant[], { open, invoices, lines }: Covered) {
  if (grants.length === 0 || invoices.length === 0) return new Map<string, ReturnType<typeof dec>>();
  const known = new Map([...(await coverableLinesOf(db, open)), ...lines]);
  const uses = await planUses(db, [{ grants: grants.map(usable), invoices }], known);
  return new Map([...Map.groupBy(uses, ({ invoiceId }) => invoiceId)].map(([id, own]) => [id, sum(own.map(({ amount }) => dec(amount)))]));
}
