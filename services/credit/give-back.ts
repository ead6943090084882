import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import { type BackToGrant, backToGrants, type KeptUse, keptUses } from '../../billing/credit/give-back.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, smaller, sum, ZERO } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { Queryable, Tx } from '../../db/connect.ts';
import { CreditGrant } from '../../db/entities/credit.ts';
import { newId } from '../../db/id.ts';
import { creditsOfInvoices } from '../../db/sql/credit/credits-of-invoices.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import type { LockedInvoice } from '../../db/sql/payment/lock-invoice.ts';
import { planExpiries } from './agenda.ts';
import type { Expired } from './expire.ts';
import { type GrantMove, moveGrants } from './move.ts';

/** What grants paid of an invoice and have not got back, in the order of use. */
export const readKeptUses = async (tx: Queryable, invoiceId: string): Promise<KeptUse[]> =>
  keptUses(await creditsOfInvoices(tx, [invoiceId]));

/** Which of the grants that paid have expired or were voided by now, so that what goes back to them ends at once. */
export async function endedGrants(em: EntityManager, uses: readonly KeptUse[], now: Instant): Promise<Set<string>> {
  if (uses.length === 0) return new Set();
  const ends = [{ voidedAt: { $ne: null } }, { expiredAt: { $ne: null } }, { expiresAt: { $lte: now } }];
  const where = { id: { $in: uses.map(({ grantId }) => grantId) }, $or: ends };
  const ended = await em.find(CreditGrant, where, { fields: ['id'], disableIdentityMap: true });
  return new Set(ended.map(({ id }) => id));
}

interface GivenBack {
  /** amounts that came back to grants that had expired or were voided, and went with them at once */
  ended: string[];
  alive: BackToGrant[];
}

/** How much of what a note gave back nobody can use, once what was due to expire has expired. */
export function endedOf({ ended, alive }: GivenBack, expired: readonly Expired[], currency: Currency): string {
  const gone = new Map(expired.map(({ grantId, amount }) => [grantId, dec(amount)]));
  const since = alive.map(({ grantId, amount }) => smaller(dec(amount), gone.get(grantId) ?? ZERO));
  return moneyText(sum([...ended.map(dec), ...since]), currency);
}

interface Back {
  creditNoteId: string;
  invoice: LockedInvoice;
  amount: string;
  at: Instant;
}

/**
 * Gives what a credit note gives back to the grants that paid the invoice, the last use first. What has expired or was
 * voided meanwhile goes the same way at once.
 *
 * @returns what went that way, and what the other grants got
 */
export async function giveBackToGrants(tx: Tx, { creditNoteId, invoice, amount, at }: Back): Promise<GivenBack> {
  if (!dec(amount).gt(ZERO)) return { ended: [], alive: [] };
  const { back } = backToGrants(amount, await readKeptUses(tx, invoice.id), invoice.currency);
  if (back.length === 0) return { ended: [], alive: [] };
  const ids = { $in: back.map(({ grantId }) => grantId) };
  const found = await tx.em.find(CreditGrant, { id: ids }, { ...FOR_UPDATE, orderBy: { id: 'asc' }, disableIdentityMap: true });
  const grants = new Map(found.map((grant) => [grant.id, grant]));
  const moves = back.flatMap(({ grantId, amount: own }, place): GrantMove[] => {
    const grant = grants.get(grantId);
    if (grant === undefined || !dec(own).gt(ZERO)) return [];
    const of = { grant, at, invoiceId: invoice.id };
    const returned: GrantMove = { ...of, id: newId('Txn'), kind: 'returned', amount: own, occasion: `returned:${creditNoteId}:${place}` };
    const gone = grant.voidedAt !== null ? 'voided' : grant.expiredAt !== null ? 'expired' : null;
    if (gone === null) return [returned];
    const again = { grant, at, kind: gone, amount: dec(own).neg().toFixed(), occasion: `${gone}:${creditNoteId}:${place}` } as const;
    return [returned, { ...again, id: newId('Txn') }];
  });
  await moveGrants(tx, moves);
  const alive = found.filter(({ expiresAt, voidedAt, expiredAt }) => expiresAt !== null && voidedAt === null && expiredAt === null);
  await planExpiries(tx, { id: invoice.customerId, vendorId: invoice.vendorId, clockId: invoice.clockId }, alive);
  return {
    ended: moves.filter(({ kind }) => kind !== 'returned').map(({ amount: own }) => dec(own).neg().toFixed()),
    alive: back.filter(({ grantId }) => grants.get(grantId)?.voidedAt === null && grants.get(grantId)?.expiredAt === null),
  };
}
