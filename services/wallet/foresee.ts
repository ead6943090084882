import type { GrantUse } from '../../billing/credit/types.ts';
import { type OpenInvoice, oldestDueFirst, settle } from '../../billing/invoice/settlement.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { type Decimal, dec, sum, ZERO } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { Database } from '../../db/connect.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import { Wallet } from '../../db/entities/wallet.ts';
import { type OpenGrant, readOpenGrants } from '../../db/sql/credit/lock-grants.ts';
import type { DatedLine } from '../credit/coverable.ts';
import type { ByThen } from '../credit/foresee-rollovers.ts';
import { afterUses, foreseeUses } from '../credit/foresee-uses.ts';
import { coverableLinesOf, planUses, usable } from '../credit/use.ts';
import type { CreditHold } from '../payment-gate/collectable.ts';

/** How many open invoices are read at once. */
const AT_ONCE = 1_000;

/**
 * How often more are read, as long as something is left that pays them. A customer of an hourly contract has 8,760 open
 * invoices after a year without a payment.
 */
const MOST_READS = 10;

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
  /** credits that end by then go on as others, and pay too; absent: none end */
  byThen?: ByThen;
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
 * being charged are left to their payment. Of more than 10,000 open invoices the last ones are taken as paid.
 *
 * @returns the payments by invoice
 */
export async function foreseePayments(
  db: Database,
  owner: Owner,
  { surplus = '0', newInvoices = [], lines = new Map(), freed = [], granted = [], byThen }: ToCome = {},
): Promise<Map<string, ForeseenPayment>> {
  const wallet = await db.em().findOne(Wallet, { customerId: owner.customerId, currency: owner.currency });
  const free = dec(wallet?.balance ?? '0').minus(dec(wallet?.held ?? '0'));
  const grants = [...withoutHolds(await readOpenGrants(db, [owner]), freed), ...granted];
  const paying: Paying = { currency: owner.currency, balance: moneyText(free.plus(surplus), owner.currency), grants, payments: new Map() };
  if (dec(paying.balance).isZero() && grants.length === 0) return paying.payments;
  let waiting = newInvoices;
  let after: OpenInvoice | null = null;
  for (let reads = 1; ; reads += 1) {
    const open: OpenInvoice[] = await openOf(db, owner, after);
    const upTo: OpenInvoice | null = open.length < AT_ONCE ? null : (open.at(-1) ?? null);
    const isInTurn = (one: OpenInvoice): boolean => upTo === null || oldestDueFirst(one, upTo) <= 0;
    const fresh = waiting.filter(isInTurn);
    const isAny = await payThose(db, paying, { open, fresh, lines, byThen: upTo === null ? byThen : undefined });
    waiting = waiting.filter((one) => !isInTurn(one));
    after = upTo;
    if (upTo === null || !isAny || reads >= MOST_READS) break;
  }
  if (waiting.length > 0) await payThose(db, paying, { open: [], fresh: waiting, lines });
  return paying.payments;
}

/** What pays, with what is left of it, and what it has paid. */
interface Paying {
  currency: Currency;
  balance: string;
  grants: readonly OpenGrant[];
  payments: Map<string, ForeseenPayment>;
}

/** Open invoices in the database, and new ones, that are offered together. */
interface Offered {
  open: readonly OpenInvoice[];
  fresh: readonly OpenInvoice[];
  lines: ReadonlyMap<string, readonly DatedLine[]>;
  byThen?: ByThen | undefined;
}

/** @returns whether something is left that may pay further invoices: money, or credits that have paid some of these */
async function payThose(db: Database, paying: Paying, offered: Offered): Promise<boolean> {
  const { currency } = paying;
  const invoices = [...offered.open, ...offered.fresh];
  const byInvoice = Map.groupBy(await usesOf(db, paying, offered), ({ invoiceId }) => invoiceId);
  const left = invoices.map((one) => {
    const fromCredits = sum((byInvoice.get(one.id) ?? []).map(({ amount }) => dec(amount)));
    return { ...one, fromCredits, remaining: dec(one.remaining).minus(fromCredits).toFixed() };
  });
  const { payments, balance } = settle(paying.balance, left, currency);
  const byWallet = new Map(payments.map(({ invoiceId, amount }) => [invoiceId, amount]));
  for (const { id, fromCredits, remaining } of left) {
    const fromWallet = dec(byWallet.get(id) ?? '0');
    const money = (value: Decimal): string => moneyText(value, currency);
    const rest = dec(remaining).minus(fromWallet);
    paying.payments.set(id, { fromCredits: money(fromCredits), fromWallet: money(fromWallet), remaining: money(rest) });
  }
  paying.balance = balance;
  return dec(balance).gt(ZERO) || (byInvoice.size > 0 && paying.grants.some((one) => dec(one.balance).gt(ZERO)));
}

async function usesOf(db: Database, paying: Paying, { open, fresh, lines, byThen }: Offered): Promise<GrantUse[]> {
  const invoices = [...open, ...fresh];
  if (paying.grants.length === 0 || invoices.length === 0) return [];
  const known = new Map([...(await coverableLinesOf(db, open)), ...lines]);
  const { uses, left } = await foreseeUses(db, paying.grants, { invoices, lines: known, byThen });
  paying.grants = left;
  return uses;
}

/** Grants with what gates hold of them set free. */
export function withoutHolds(grants: readonly OpenGrant[], freed: readonly CreditHold[]): OpenGrant[] {
  return grants.map((one) => {
    const own = sum(freed.filter(({ grant }) => grant === one.id).map(({ amount }) => dec(amount)));
    return { ...one, held: dec(one.held).minus(own).toFixed() };
  });
}

/**
 * Grants with what of them pays the customer's open invoices taken off: they do so as soon as they may. Of more than
 * 1,000 only those that are due first are looked at.
 */
export async function afterOpen(db: Database, owner: Owner, grants: readonly OpenGrant[]): Promise<OpenGrant[]> {
  const open = grants.length === 0 ? [] : await openOf(db, owner, null);
  if (open.length === 0) return [...grants];
  return afterUses(grants, await planUses(db, [{ grants: grants.map(usable), invoices: open }], await coverableLinesOf(db, open)));
}

/**
 * Invoices that credits and wallet may pay, those behind another one; those that are being charged are left to their
 * payment.
 */
async function openOf(db: Database, { customerId, currency }: Owner, after: OpenInvoice | null): Promise<OpenInvoice[]> {
  const isOpen = { amountDue: { $gt: '0' }, depositTransactionStatus: { $ne: 'processing' as const } };
  const found = await db.em().find(
    Invoice,
    { customerId, currency, status: 'ready_for_payment', ...isOpen, ...(after && isBehind(after)) },
    {
      orderBy: { dueDate: 'asc', date: 'asc', id: 'asc' },
      limit: AT_ONCE,
      fields: ['date', 'dueDate', 'amountDue'],
      disableIdentityMap: true,
    },
  );
  return found.map(({ id, date, dueDate, amountDue: remaining }) => ({ id, date, dueDate, remaining }));
}

const isBehind = ({ dueDate, date, id }: OpenInvoice) => ({
  $or: [{ dueDate: { $gt: dueDate } }, { dueDate, date: { $gt: date } }, { dueDate, date, id: { $gt: id } }],
});
