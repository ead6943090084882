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
 * Grants credits whose invoices are paid; a second run finds nothing to do.
 *
 * @param invoiceIds locked, or written by this transaction
 * @param back what a credit note gives back of their price that this transaction has yet to write
 * @returns what they may pay now, for the wallets to be settled
 */
export async function grantBought(tx: Tx, invoiceIds: readonly string[], at: Instant, back = '0'): Promise<WalletTask[]> {
  if (invoiceIds.length === 0) return [];
  const bought = await tx.em.find(
    CreditGrant,
    { invoiceId: { $in: [...invoiceIds] }, paidAt: null, voidedAt: null },
    { ...FOR_UPDATE, orderBy: { id: 'asc' }, disableIdentityMap: true },
  );
  const tasks: WalletTask[] = [];
  for (const grant of bought) tasks.push(await grantOne(tx, grant, { at, back }));
  return tasks;
}

async function grantOne(tx: Tx, grant: CreditGrantRecord, { at, back }: { at: Instant; back: string }): Promise<WalletTask> {
  const { id, vendorId, customerId, currency, amount } = grant;
  const customer = await tx.em.findOneOrFail(Customer, { id: customerId }, { fields: ['clockId', 'status'], disableIdentityMap: true });
  const isFrozen = customer.status === 'inactive';
  const time = timeOf(grant, at, await livedBy(tx, customerId, at));
  await tx.em.nativeUpdate(CreditGrant, { id }, { ...time, paidAt: at });
  const booked = moneyText(dec(await priceOf(tx, grant)).minus(dec(back)), currency);
  await moveGrants(tx, [{ id: newId('Txn'), grant, kind: 'granted', amount, booked, at, occasion: 'granted' }]);
  // in a freeze, its end plans when each grant expires
  if (!isFrozen) await planExpiries(tx, { id: customerId, vendorId, clockId: customer.clockId }, [{ id, expiresAt: time.expiresAt }]);
  return { vendorId, customerId, currency, at, credits: [], newInvoices: [], pays: !isFrozen };
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

/** What the credits cost in the end: their invoice less its credit notes. */
async function priceOf({ em }: Tx, { invoiceId, currency }: CreditGrantRecord): Promise<string> {
  const { total } = await em.findOneOrFail(Invoice, { id: invoiceId ?? '' }, { fields: ['total'], disableIdentityMap: true });
  const notes = await em.find(CreditNote, { invoiceId: invoiceId ?? '' }, { fields: ['total'], disableIdentityMap: true });
  return moneyText(dec(total).minus(sum(notes.map((note) => dec(note.total)))), currency);
}
