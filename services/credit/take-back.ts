import type { Instant } from '../../billing/calendar/instant.ts';
import { takenBack } from '../../billing/credit/taken-back.ts';
import { type Decimal, dec, smaller, sum } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { CreditGrant, type CreditGrantRecord, CreditMovement, type CreditMovementKind } from '../../db/entities/credit.ts';
import { newId } from '../../db/id.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import { dropExpiries } from './agenda.ts';
import { type GrantMove, moveGrants } from './move.ts';

/** What a credit note gives back of the price of bought credits. */
interface PriceBack {
  creditNoteId: string;
  invoiceId: string;
  /** what of the price no earlier note has given back */
  price: string;
  back: string;
  at: Instant;
}

/**
 * Takes the same share of bought credits as a credit note gives back of their price, only of credits that nobody has
 * used. Credits that were voided unused belong to the vendor until then; their price is given back in the same way.
 *
 * @throws Refusal `credit_grant_state`
 */
export async function takeBackBought(tx: Tx, note: PriceBack): Promise<void> {
  const { invoiceId, price, back, at } = note;
  const grant = await tx.em.findOneOrFail(CreditGrant, { invoiceId }, { ...FOR_UPDATE, disableIdentityMap: true });
  const credits = await creditsLeft(tx, grant);
  const taken = takenBack({ credits, price }, back, grant.currency);
  if (grant.paidAt === null) await lowerUnpaid(tx, grant, taken);
  else await takeUnused(tx, grant, taken, note);
  if (dec(price).equals(dec(back))) await endBought(tx, invoiceId, at);
}

/** The credits whose price nobody has given back. */
async function creditsLeft(tx: Tx, grant: CreditGrantRecord): Promise<string> {
  if (grant.paidAt === null) return grant.amount;
  const refunded = await movedBy(tx, grant, 'refunded');
  return dec(grant.amount).plus(refunded).toFixed();
}

/** The sum of a grant's movements of a kind; what it has lost is negative. */
async function movedBy({ em }: Tx, { id }: CreditGrantRecord, kind: CreditMovementKind): Promise<Decimal> {
  const moved = await em.find(CreditMovement, { grant: { id }, kind }, { fields: ['amount'], disableIdentityMap: true });
  return sum(moved.map((one) => dec(one.amount)));
}

async function lowerUnpaid({ em }: Tx, { id, amount, currency }: CreditGrantRecord, taken: string): Promise<void> {
  await em.nativeUpdate(CreditGrant, { id }, { amount: moneyText(dec(amount).minus(dec(taken)), currency) });
}

async function takeUnused(
  tx: Tx,
  grant: CreditGrantRecord,
  taken: string,
  { creditNoteId, invoiceId, back, at }: PriceBack,
): Promise<void> {
  const free = dec(grant.balance).minus(dec(grant.held));
  const voided = (await movedBy(tx, grant, 'voided')).neg();
  if (dec(taken).gt(free.plus(voided))) {
    const left = moneyText(free.plus(voided), grant.currency);
    throw new Refusal('credit_grant_state', `the note takes ${taken} of the credits, of which ${left} are unused: give back less`);
  }
  const about = { grant, at, invoiceId };
  const again = dec(taken).minus(smaller(dec(taken), free));
  const unvoided: GrantMove = { ...about, id: newId('Txn'), kind: 'voided', amount: again.toFixed(), occasion: `unvoided:${creditNoteId}` };
  const [amount, booked] = [dec(taken).neg().toFixed(), dec(back).neg().toFixed()];
  const refunded: GrantMove = { ...about, id: newId('Txn'), kind: 'refunded', amount, booked, occasion: `refunded:${creditNoteId}` };
  // less than the smallest unit of the credits goes back as nothing, and its price is booked all the same
  await moveGrants(tx, again.gt(0) ? [unvoided, refunded] : [refunded]);
}

/** Ends credits whose invoice was voided, or given back as a whole. */
export async function endBought(tx: Tx, invoiceId: string, at: Instant): Promise<void> {
  const grant = await tx.em.findOneOrFail(CreditGrant, { invoiceId }, { fields: ['id'], disableIdentityMap: true });
  await tx.em.nativeUpdate(CreditGrant, { id: grant.id, voidedAt: null }, { voidedAt: at });
  await dropExpiries(tx, { subject: { $in: [grant.id] } });
}
