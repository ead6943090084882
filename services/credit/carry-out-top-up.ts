import type { Instant } from '../../billing/calendar/instant.ts';
import { monthOf, topUpStep } from '../../billing/credit/top-up.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { CreditGrant } from '../../db/entities/credit.ts';
import { CreditTopUp, type CreditTopUpRecord } from '../../db/entities/credit-top-up.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { lockMoney } from '../../db/wallet/lock-money.ts';
import { lockCustomer } from '../customer/lock.ts';
import { CREDIT_TOP_UP, dropTopUpRows, planTopUps } from './ask-top-up.ts';
import { buyForTopUp } from './grant.ts';
import { leaveToTheClock } from './leave-to-the-clock.ts';
import { liveBalance } from './live.ts';

/**
 * Carries out the top-ups of a customer that are due; a second run finds nothing to do. On a test clock only while it
 * stands still.
 */
export async function carryOutDueTopUps(db: Database, customerId: string): Promise<void> {
  const rows = await db.em().find(Agenda, { kind: CREDIT_TOP_UP, customerId }, { orderBy: { id: 'asc' } });
  for (const { subject, dueAt, testClockId } of rows) {
    const now = await nowOf(db, testClockId);
    const by = testClockId === null ? 'timer' : 'clock';
    if (dueAt <= now) await db.transaction((tx) => carryOutTopUp(tx, { subject }, now, 'refuse'), { by }).catch(leaveToTheClock);
  }
}

/**
 * Lets a top-up buy credits where the rule says so. The customer is locked against changes of its usage and other
 * top-ups, so that what is decided by holds until it is written; the row of the agenda goes in the same transaction.
 *
 * @param now on the customer's clock
 * @throws Refusal `clock_advancing` where that is to be refused
 */
export async function carryOutTopUp(
  tx: Tx,
  { subject: id }: { subject: string },
  now: Instant,
  advancing: 'refuse' | 'allow' = 'allow',
): Promise<void> {
  const seen = await tx.em.findOne(CreditTopUp, { id }, { disableIdentityMap: true });
  if (seen === null) return dropTopUpRows(tx, [id]);
  const { vendorId, customerId, currency } = seen;
  const customer = await lockCustomer(tx, vendorId, customerId, { lock: 'no key update', frozen: 'allow', advancing });
  // transactions that move credits lock the wallet before they write the row: in the same order here, so that neither
  // waits for the other
  await lockMoney(tx, [{ customerId, currency }]);
  await dropTopUpRows(tx, [id]);
  // a decline may end a purchase meanwhile: where none is open, everything read after this knows of it
  const isOpen = (await tx.em.count(CreditGrant, { ...boughtBy(seen), paidAt: null, voidedAt: null })) > 0;
  const topUp = await tx.em.findOne(CreditTopUp, { id }, { disableIdentityMap: true });
  // in a freeze nothing is bought: its end makes the top-up look again
  if (topUp === null || customer.status === 'inactive' || customer.erasedAt !== null) return;
  const step = topUpStep({ ...(await factsOf(tx, topUp, now)), isOpen }, now);
  const { clockId } = customer;
  if (step.type === 'wait') await planTopUps(tx, [{ topUp: { id, vendorId, customerId, clockId }, at: step.until }]);
  if (step.type === 'buy') await buyForTopUp(tx, { ...customer, now }, topUp);
}

async function factsOf(tx: Tx, topUp: CreditTopUpRecord, now: Instant) {
  const { from, until } = monthOf(now);
  const inMonth = { created: { $gte: from, $lt: until }, $or: [{ paidAt: { $ne: null } }, { voidedAt: null }] };
  const bought = await tx.em.find(CreditGrant, { ...boughtBy(topUp), ...inMonth }, PRICES);
  return { ...topUp, live: await liveBalance(tx, topUp, now), spent: bought.map(({ price }) => price ?? '0') };
}

/** What top-ups have bought for a customer in a currency, also one that was replaced. */
const boughtBy = ({ customerId, currency }: CreditTopUpRecord) => ({ customerId, currency, topUpId: { $ne: null } });

const PRICES = { fields: ['price'], disableIdentityMap: true } as const;
