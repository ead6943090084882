import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import { CreditGrant, CreditMovement } from '../../db/entities/credit.ts';

/** What a customer may still use of prepaid credits in a currency. */
export interface CreditsLeft {
  currency: Currency;
  left: string;
  /** the parts that end first, with their ends */
  ends: { amount: string; at: Instant }[];
}

/** The ends that are shown. */
const ENDS_SHOWN = 3;

/** What is left of grants whose life has begun, and what of it ends first, for people to read. */
export async function creditsLeft(em: EntityManager, customerId: string, now: Instant): Promise<CreditsLeft[]> {
  const open = { customerId, balance: { $gt: '0' }, effectiveAt: { $lte: now } };
  const grants = await em.find(CreditGrant, open, {
    fields: ['currency', 'balance', 'expiresAt'],
    orderBy: { currency: 'asc', id: 'asc' },
  });
  return [...Map.groupBy(grants, ({ currency }) => currency)].map(([currency, own]) => {
    const ending = Map.groupBy(own, ({ expiresAt }) => expiresAt);
    const ends = [...ending].flatMap(([at, some]) => (at === null || at <= now ? [] : [{ at, amount: leftOf(some, currency) }]));
    return { currency, left: leftOf(own, currency), ends: ends.sort((a, b) => a.at - b.at).slice(0, ENDS_SHOWN) };
  });
}

const leftOf = (grants: readonly { balance: string }[], currency: Currency): string =>
  moneyText(sum(grants.map(({ balance }) => dec(balance))), currency);

/** What prepaid credits have paid of an invoice, and what is left of them; null where they have paid nothing. */
export async function creditsOfInvoice(
  em: EntityManager,
  { id: invoiceId, customerId, currency }: { id: string; customerId: string; currency: Currency },
  now: Instant,
): Promise<{ used: string; left: string } | null> {
  const moved = await em.find(CreditMovement, { invoiceId, kind: { $in: ['used', 'returned'] } }, { fields: ['amount'] });
  const used = sum(moved.map(({ amount }) => dec(amount).neg()));
  if (!used.gt(0)) return null;
  const left = (await creditsLeft(em, customerId, now)).find((one) => one.currency === currency)?.left ?? moneyText('0', currency);
  return { used: moneyText(used, currency), left };
}
