import type { Instant } from '../../billing/calendar/instant.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { Tx } from '../../db/connect.ts';
import { CreditGrant, type CreditGrantRecord } from '../../db/entities/credit.ts';
import { CreditNote } from '../../db/entities/credit-note.ts';
import { Customer } from '../../db/entities/customer.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import { newId } from '../../db/id.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import type { WalletTask } from '../wallet/move.ts';
import { planExpiries } from './agenda.ts';
import { type Lived, livedBy } from './lived.ts';
import { moveGrants } from './move.ts';

/**
 * Grants credits whose invoices are paid, in a fixed number of statements for each customer; a second run finds nothing
 * to do.
 *
 * @param invoiceIds locked, or written by this transaction
 * @param back what a credit note gives back of the price of each that this transaction has yet to write
 * @returns what they may pay now, for the wallets to be settled: one task for each customer and currency
 */
export async function grantBought(tx: Tx, invoiceIds: readonly string[], at: Instant, back = '0'): Promise<WalletTask[]> {
  if (invoiceIds.length === 0) return [];
  const bought = await tx.em.find(
    CreditGrant,
    { invoiceId: { $in: [...invoiceIds] }, paidAt: null, voidedAt: null },
    { ...FOR_UPDATE, orderBy: { id: 'asc' }, disableIdentityMap: true },
  );
  const tasks: WalletTask[] = [];
  for (const [customerId, own] of Map.groupBy(bought, (grant) => grant.customerId))
    tasks.push(...(await grantOwn(tx, customerId, own, { at, back })));
  return tasks;
}

/** Grants what one customer has bought. */
async function grantOwn(
  tx: Tx,
  customerId: string,
  bought: readonly CreditGrantRecord[],
  { at, back }: { at: Instant; back: string },
): Promise<WalletTask[]> {
  const fields = { fields: ['vendorId', 'clockId', 'status'], disableIdentityMap: true } as const;
  const { vendorId, clockId, status } = await tx.em.findOneOrFail(Customer, { id: customerId }, fields);
  const isFrozen = status === 'inactive';
  const lived = await livedBy(tx, customerId, at);
  const timed = bought.map((grant) => ({ id: grant.id, ...timeOf(grant, at, lived) }));
  await setLives(tx, timed, at);
  const prices = await pricesOf(tx, bought);
  await moveGrants(
    tx,
    bought.map((grant) => {
      const booked = moneyText(dec(prices.get(grant.id) ?? '0').minus(dec(back)), grant.currency);
      return { id: newId('Txn'), grant, kind: 'granted', amount: grant.amount, booked, at, occasion: 'granted' };
    }),
  );
  // in a freeze, its end plans when each grant expires
  if (!isFrozen) await planExpiries(tx, { id: customerId, vendorId, clockId }, timed);
  const currencies = [...new Set(bought.map(({ currency }) => currency))];
  return currencies.map((currency) => ({ vendorId, customerId, currency, at, credits: [], newInvoices: [], pays: !isFrozen }));
}

type PaidGrant = Pick<CreditGrantRecord, 'id' | 'effectiveAt' | 'expiresAt'>;

/** Writes that grants are paid, and their lives: those that are alike in one statement. */
async function setLives({ em }: Tx, lives: readonly PaidGrant[], paidAt: Instant): Promise<void> {
  for (const alike of Map.groupBy(lives, ({ effectiveAt, expiresAt }) => `${effectiveAt} ${expiresAt}`).values()) {
    const [first] = alike;
    if (first === undefined) continue;
    const { effectiveAt, expiresAt } = first;
    await em.nativeUpdate(CreditGrant, { id: { $in: alike.map(({ id }) => id) } }, { effectiveAt, expiresAt, paidAt });
  }
}

/**
 * The life of credits that are paid at an instant, as it is stored. If it would have ended while their payment was
 * under way, they get its whole length from the payment on. In a freeze no life goes on: the end of the freeze will
 * still move the end of this life by the whole freeze, and also a beginning that lies ahead.
 */
function timeOf({ effectiveAt, expiresAt }: Pick<CreditGrantRecord, 'effectiveAt' | 'expiresAt'>, paid: Instant, { freeze, until }: Lived) {
  const isAhead = effectiveAt > (freeze?.to === null ? paid : until);
  const begins = isAhead ? effectiveAt : paid;
  const from = Math.max(effectiveAt, until);
  if (expiresAt === null || expiresAt > from) return { effectiveAt: begins, expiresAt };
  return { effectiveAt: begins, expiresAt: from + expiresAt - effectiveAt };
}

/** What grants cost in the end: the invoice of each less its credit notes. */
async function pricesOf({ em }: Tx, bought: readonly CreditGrantRecord[]): Promise<Map<string, string>> {
  const ids = bought.map(({ invoiceId }) => invoiceId ?? '');
  const invoices = await em.find(Invoice, { id: { $in: ids } }, { fields: ['total'], disableIdentityMap: true });
  const notes = await em.find(CreditNote, { invoiceId: { $in: ids } }, { fields: ['invoiceId', 'total'], disableIdentityMap: true });
  const totals = new Map(invoices.map(({ id, total }) => [id, total]));
  const given = Map.groupBy(notes, ({ invoiceId }) => invoiceId);
  return new Map(
    bought.map(({ id, invoiceId }) => {
      const total = totals.get(invoiceId ?? '');
      if (total === undefined) throw new Error(`the credits ${id} have no invoice`);
      const back = sum((given.get(invoiceId ?? '') ?? []).map((note) => dec(note.total)));
      return [id, dec(total).minus(back).toFixed()];
    }),
  );
}
