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
import { type ByThen, foreseeRollovers } from '../credit/foresee-rollovers.ts';
import { afterUses, foreseeUses } from '../credit/foresee-uses.ts';
import { coverableLinesOf, planUses, usable } from '../credit/use.ts';
import type { CreditHold } from '../payment-gate/collectable.ts';
import { hasYetToPay } from './free.ts';
import { OFFERED_AT_ONCE } from './move.ts';

/** How many open invoices are read at once. */
const AT_ONCE = 1_000;

/**
 * How often more are read, as long as something is left that pays them. A customer of an hourly contract has 8,760 open
 * invoices after a year without a payment.
 */
const MOST_READS = 10;

/** What is to come: money that the wallet gains, and invoices that are made. */
interface ToCome extends Coming {
  surplus?: string;
  /** prepaid credits that gates hold, and that are free by then */
  freed?: readonly CreditHold[];
  /** prepaid credits that are granted now */
  granted?: readonly OpenGrant[];
}

/** Invoices that are made, and what will have happened by then. */
interface Coming {
  newInvoices?: readonly OpenInvoice[];
  /** lines of the new invoices, by invoice */
  lines?: ReadonlyMap<string, readonly DatedLine[]> | undefined;
  /** credits that end by then go on as others, and pay too; absent: none end */
  byThen?: Then | undefined;
}

interface Then extends ByThen {
  /** whether money or held credits come at that very instant, and are offered all that is open */
  gains: boolean;
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
  { surplus = '0', freed = [], granted = [], ...coming }: ToCome = {},
): Promise<Map<string, ForeseenPayment>> {
  const wallet = await db.em().findOne(Wallet, { customerId: owner.customerId, currency: owner.currency });
  const free = dec(wallet?.balance ?? '0').minus(dec(wallet?.held ?? '0'));
  const grants = [...withoutHolds(await readOpenGrants(db, [owner]), freed), ...granted];
  const balance = moneyText(free.plus(surplus), owner.currency);
  const paying: Paying = { owner, balance, grants, uses: [], payments: new Map() };
  if (dec(balance).isZero() && grants.length === 0) return paying.payments;
  const { newInvoices = [], byThen } = coming;
  const isAgain = dec(balance).gt(ZERO) || freed.length > 0 || hasYetToPay(wallet) || newInvoices.length === 0;
  const open = await openOf(db, owner, null, isAgain ? AT_ONCE : OFFERED_AT_ONCE);
  // credits have been offered all that is open, so new invoices alone begin no steps over it
  if (!isAgain) await payThose(db, paying, { ...coming, open });
  else if (byThen?.gains && open.length > OFFERED_AT_ONCE) await payInSteps(db, paying, open, coming, byThen);
  else await payAll(db, paying, open, coming);
  return paying.payments;
}

/** What pays, with what is left of it, and what it has paid. */
interface Paying {
  owner: Owner;
  balance: string;
  grants: readonly OpenGrant[];
  uses: GrantUse[];
  payments: Map<string, ForeseenPayment>;
}

/**
 * Offers all that is open, as steps do that begin with the new invoices: credits end behind the last step, so that what
 * lasts on of them pays what the wallet has left.
 */
async function payInSteps(
  db: Database,
  paying: Paying,
  open: readonly OpenInvoice[],
  { byThen: _, ...coming }: Coming,
  byThen: ByThen,
): Promise<void> {
  await payAll(db, paying, open, coming);
  const rolled = await foreseeRollovers(db, paying.grants, byThen);
  if (rolled.length === 0 || dec(paying.balance).gt(ZERO)) return;
  const isRolled = new Set(rolled.map(({ rolledFrom }) => rolledFrom));
  paying.grants = [...paying.grants.filter(({ id }) => !isRolled.has(id)), ...rolled];
  await payAll(db, paying, open, coming);
}

/** @param first the open invoices that are due first */
async function payAll(db: Database, paying: Paying, first: readonly OpenInvoice[], coming: Coming): Promise<void> {
  const { newInvoices = [], lines, byThen } = coming;
  let waiting = newInvoices;
  let open = first;
  for (let reads = 1; ; reads += 1) {
    const upTo: OpenInvoice | null = open.length < AT_ONCE ? null : (open.at(-1) ?? null);
    const isInTurn = (one: OpenInvoice): boolean => upTo === null || oldestDueFirst(one, upTo) <= 0;
    const fresh = waiting.filter(isInTurn);
    const isAny = await payThose(db, paying, { open, newInvoices: fresh, lines, byThen: upTo === null ? byThen : undefined });
    waiting = waiting.filter((one) => !isInTurn(one));
    if (upTo === null || !isAny || reads >= MOST_READS) break;
    open = await openOf(db, paying.owner, upTo, AT_ONCE);
  }
  if (waiting.length > 0) await payThose(db, paying, { open: [], newInvoices: waiting, lines, byThen });
}

/** Open invoices in the database, and new ones, that are offered together. */
interface Offered extends Coming {
  open: readonly OpenInvoice[];
}

/** @returns whether something is left that may pay further invoices: money, or credits that have paid some of these */
async function payThose(db: Database, paying: Paying, offered: Offered): Promise<boolean> {
  const { currency } = paying.owner;
  const { open, fresh } = { open: leftOf(paying, offered.open), fresh: leftOf(paying, offered.newInvoices ?? []) };
  const uses = await usesOf(db, paying, { ...offered, open, newInvoices: fresh });
  const byInvoice = Map.groupBy(uses, ({ invoiceId }) => invoiceId);
  const left = [...open, ...fresh].map((one) => {
    const fromCredits = sum((byInvoice.get(one.id) ?? []).map(({ amount }) => dec(amount)));
    return { ...one, fromCredits, remaining: dec(one.remaining).minus(fromCredits).toFixed() };
  });
  const { payments, balance } = settle(paying.balance, left, currency);
  const byWallet = new Map(payments.map(({ invoiceId, amount }) => [invoiceId, amount]));
  const money = (value: Decimal): string => moneyText(value, currency);
  for (const { id, fromCredits, remaining } of left) {
    const fromWallet = dec(byWallet.get(id) ?? '0');
    const before = paying.payments.get(id);
    paying.payments.set(id, {
      fromCredits: money(fromCredits.plus(before?.fromCredits ?? '0')),
      fromWallet: money(fromWallet.plus(before?.fromWallet ?? '0')),
      remaining: money(dec(remaining).minus(fromWallet)),
    });
  }
  paying.balance = balance;
  return dec(balance).gt(ZERO) || (byInvoice.size > 0 && paying.grants.some((one) => dec(one.balance).gt(ZERO)));
}

/** Invoices with what of them was not paid before. */
const leftOf = ({ payments }: Paying, invoices: readonly OpenInvoice[]): OpenInvoice[] =>
  invoices.map((one) => ({ ...one, remaining: payments.get(one.id)?.remaining ?? one.remaining }));

async function usesOf(db: Database, paying: Paying, { open, newInvoices = [], lines = new Map(), byThen }: Offered): Promise<GrantUse[]> {
  const invoices = [...open, ...newInvoices];
  if (paying.grants.length === 0 || invoices.length === 0) return [];
  const known = new Map([...(await coverableLinesOf(db, open)), ...lines]);
  const { uses, left } = await foreseeUses(db, paying.grants, { invoices, lines: known, byThen, planned: paying.uses });
  paying.grants = left;
  paying.uses.push(...uses);
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
  const open = grants.length === 0 ? [] : await openOf(db, owner, null, AT_ONCE);
  if (open.length === 0) return [...grants];
  return afterUses(grants, await planUses(db, [{ grants: grants.map(usable), invoices: open }], await coverableLinesOf(db, open)));
}

/**
 * Invoices that credits and wallet may pay, those behind another one; those that are being charged are left to their
 * payment.
 */
async function openOf(db: Database, { customerId, currency }: Owner, after: OpenInvoice | null, limit: number): Promise<OpenInvoice[]> {
  const isOpen = { amountDue: { $gt: '0' }, depositTransactionStatus: { $ne: 'processing' as const } };
  const found = await db.em().find(
    Invoice,
    { customerId, currency, status: 'ready_for_payment', ...isOpen, ...(after && isBehind(after)) },
    {
      orderBy: { dueDate: 'asc', date: 'asc', id: 'asc' },
      limit,
      fields: ['date', 'dueDate', 'amountDue'],
      disableIdentityMap: true,
    },
  );
  return found.map(({ id, date, dueDate, amountDue: remaining }) => ({ id, date, dueDate, remaining }));
}

const isBehind = ({ dueDate, date, id }: OpenInvoice) => ({
  $or: [{ dueDate: { $gt: dueDate } }, { dueDate, date: { $gt: date } }, { dueDate, date, id: { $gt: id } }],
});
