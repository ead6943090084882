import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, sum, ZERO } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { Database } from '../../db/connect.ts';
import { CreditGrant, type CreditGrantRecord } from '../../db/entities/credit.ts';
import { Customer } from '../../db/entities/customer.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { readOpenGrants } from '../../db/sql/credit/lock-grants.ts';
import { newestUses, type SeenUse } from '../../db/sql/credit/newest-uses.ts';
import { onlyCurrency } from '../../db/sql/credit/only-currency.ts';
import { usedByOpenUsage } from './open-usage.ts';
import { usable } from './use.ts';

/** Where a grant stands. */
export type GrantStatus = 'awaiting_payment' | 'scheduled' | 'active' | 'used' | 'expired' | 'voided';

/** Bought credits are granted with the payment of their invoice. */
export const awaitsPayment = ({ invoiceId, paidAt, voidedAt }: Pick<CreditGrantRecord, 'invoiceId' | 'paidAt' | 'voidedAt'>): boolean =>
  invoiceId !== null && paidAt === null && voidedAt === null;

/**
 * Where a grant stands at an instant. One whose life has ended stays active while usage of that time may still come: it
 * has expired once that is booked.
 */
export function statusOf(
  grant: Pick<CreditGrantRecord, 'balance' | 'effectiveAt' | 'voidedAt' | 'expiredAt' | 'invoiceId' | 'paidAt'>,
  now: Instant,
): GrantStatus {
  if (grant.voidedAt !== null) return 'voided';
  if (grant.expiredAt !== null) return 'expired';
  if (awaitsPayment(grant)) return 'awaiting_payment';
  if (dec(grant.balance).isZero()) return 'used';
  return grant.effectiveAt > now ? 'scheduled' : 'active';
}

/** A customer's prepaid credits in one currency. */
export interface CustomerCredit {
  currency: Currency;
  /** what may be used of grants whose life has begun */
  settled: string;
  /** the same less what the open usage would use if it were closed now */
  live: string;
  grants: CreditGrantRecord[];
  uses: SeenUse[];
  /** the time on the customer's clock */
  now: Instant;
}

/** The newest uses that are shown. */
const USES_SHOWN = 100;
/** The newest grants that are shown, and the most of those of which something is left; lists have all of them. */
const GRANTS_SHOWN = 100;
const OPEN_SHOWN = 1_000;

/**
 * The prepaid credits of a customer: the latest grants and those of which something is left, oldest first; null: the
 * vendor has no such customer.
 *
 * @param currency null: the only one that the customer has credits in
 */
export async function customerCredit(
  db: Database,
  { vendorId, customerId, currency: asked }: { vendorId: string; customerId: string; currency: Currency | null },
): Promise<CustomerCredit | 'currency_needed' | null> {
  const em = db.em();
  const customer = await em.findOne(Customer, { id: customerId, vendorId }, { fields: ['clockId'] });
  if (customer === null) return null;
  const now = await nowOf(db, customer.clockId);
  const currency = asked ?? (await onlyCurrency(db, customerId));
  if (currency === null) return 'currency_needed';
  const left = await readOpenGrants(db, [{ customerId, currency }]);
  const grants = await shownGrants(em, vendorId, customerId, currency);
  const settled = sum(left.filter(({ effectiveAt }) => effectiveAt <= now).map(({ balance }) => dec(balance)));
  const open = left.map(usable);
  const used = open.length === 0 ? ZERO : await usedByOpenUsage(db, customerId, open, now);
  const uses = await newestUses(db, { vendorId, customerId, currency }, USES_SHOWN);
  return { currency, settled: moneyText(settled, currency), live: moneyText(settled.minus(used), currency), grants, uses, now };
}

/** The latest grants, and of older ones those of which something is left, oldest first. */
async function shownGrants(em: EntityManager, vendorId: string, customerId: string, currency: Currency): Promise<CreditGrantRecord[]> {
  const own = { vendorId, customerId, currency };
  const latest = { orderBy: { created: 'desc', id: 'desc' } } as const;
  const newest = await em.find(CreditGrant, own, { ...latest, limit: GRANTS_SHOWN });
  const open = await em.find(CreditGrant, { ...own, balance: { $gt: '0' } }, { ...latest, limit: OPEN_SHOWN });
  const shown = new Map([...newest, ...open].map((grant) => [grant.id, grant]));
  return [...shown.values()].sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
}
