import type { Instant } from '../../billing/calendar/instant.ts';
import { usageSources } from '../../billing/contract/period/sources.ts';
import { expiresAt, type UsageTime } from '../../billing/credit/expiry.ts';
import { dec } from '../../billing/money/decimal.ts';
import { CONTRACT_KINDS } from '../../db/agenda/contract-rows.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { CreditGrant } from '../../db/entities/credit.ts';
import { Customer } from '../../db/entities/customer.ts';
import { UsagePeriodRecord } from '../../db/entities/usage.ts';
import { newId } from '../../db/id.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { lockExpiringGrants } from '../../db/sql/credit/lock-expiring.ts';
import type { OpenGrant } from '../../db/sql/credit/lock-grants.ts';
import { lockCustomerRow } from '../../db/sql/customer/lock.ts';
import { CREDIT_EXPIRY, dropExpiries } from './agenda.ts';
import { moveGrants } from './move.ts';

/**
 * Lets expire what is left of grants whose life has ended by `now`, each at the instant at which nothing can come any
 * more that it would pay for. A grant that still waits for the closing of usage is left to the transaction that closes
 * it, and one of which a payment gate holds a part to the end of that gate.
 *
 * @param customerIds none of them frozen; invoices of the same transaction are paid already
 * @param notBefore when something came back to a grant, or a gate let go of it
 */
export async function expireGrants(tx: Tx, customerIds: readonly string[], now: Instant, notBefore = 0): Promise<void> {
  const grants = (await lockExpiringGrants(tx, customerIds, now)).filter(({ held }) => dec(held).isZero());
  if (grants.length === 0) return;
  await tx.em.flush();
  const times = await usageTimes(tx, grants);
  const over = grants.flatMap((grant) => {
    const at = expiresAt(grant, times.get(`${grant.customerId} ${grant.currency}`) ?? [], now);
    return at === null ? [] : [{ grant, at: Math.max(at, notBefore) }];
  });
  await moveGrants(
    tx,
    over.map(({ grant, at }) => ({
      id: newId('Txn'),
      grant,
      kind: 'expired',
      amount: dec(grant.balance).neg().toFixed(),
      at,
      occasion: 'expired',
    })),
  );
  // what closes the last usage looks for what has expired by then
  await dropExpiries(tx, { subject: { $in: grants.map(({ id }) => id) } });
}

/** The charged usage periods of contracts with a usage price, by customer and currency. */
async function usageTimes({ em }: Tx, grants: readonly OpenGrant[]): Promise<Map<string, UsageTime[]>> {
  const customers = [...new Set(grants.map(({ customerId }) => customerId))];
  const first = Math.min(...grants.map(({ effectiveAt }) => effectiveAt));
  const contracts = await em.find(
    ContractRecord,
    { customerId: { $in: customers } },
    { fields: ['id', 'customerId', 'terms'], disableIdentityMap: true },
  );
  const metered = new Map(contracts.filter(({ terms }) => usageSources(terms).length > 0).map((contract) => [contract.id, contract]));
  const periods = await em.find(
    UsagePeriodRecord,
    { contractId: { $in: [...metered.keys()] }, idx: { $gt: 0 }, $or: [{ until: null }, { until: { $gt: first } }] },
    { disableIdentityMap: true },
  );
  const owned = periods.flatMap(({ contractId, follows, start, from, until, closedAt }) => {
    const contract = metered.get(contractId);
    // usage of the billing period may go on from a contract before
    const time: UsageTime = { from: follows === null ? from : start, until, closedAt };
    return contract === undefined ? [] : [{ key: `${contract.customerId} ${contract.terms.currency}`, time }];
  });
  return new Map([...Map.groupBy(owned, ({ key }) => key)].map(([key, own]) => [key, own.map(({ time }) => time)]));
}

/** Carries out the expiry of a customer's grants on the wall clock; a second run finds nothing to do. */
export async function expireDueCredits(db: Database, customerId: string): Promise<void> {
  const now = await nowOf(db, null);
  await db.transaction((tx) => carryOutExpiry(tx, customerId, now), { by: 'timer' });
}

/**
 * The same at an instant of the customer's clock. A frozen customer's grants don't expire.
 *
 * @param now on the customer's clock
 */
export async function carryOutExpiry(tx: Tx, customerId: string, now: Instant): Promise<void> {
  const { vendorId } = await tx.em.findOneOrFail(Customer, { id: customerId }, { fields: ['vendorId'] });
  const customer = await lockCustomerRow(tx, vendorId, customerId, 'key share');
  if (customer === null || customer.status === 'inactive') return;
  // of those that are used up as well; the customer's own workflow looks again by itself
  const due = { customerId, dueAt: { $lte: now } };
  if (tx.actor !== 'timer') await dropExpiries(tx, due);
  else if (await isBehind(tx, customerId, now)) {
    await tx.em.nativeUpdate(Agenda, { kind: CREDIT_EXPIRY, ...due }, { dueAt: now + PUT_OFF_MS });
    return;
  } else await tx.em.nativeDelete(Agenda, { kind: CREDIT_EXPIRY, ...due });
  await expireGrants(tx, [customerId], now);
}

/** For how long an expiry waits for a contract that is behind; it is booked at its own instant all the same. */
const PUT_OFF_MS = 60_000;

/**
 * Whether something is due for a contract of the customer, for instance because no worker ran: what it has yet to
 * charge may lie in the life of credits. Nobody waits for a parked contract. On a test clock contracts come first.
 */
async function isBehind({ em }: Tx, customerId: string, now: Instant): Promise<boolean> {
  const kind = { $in: [...CONTRACT_KINDS] };
  return (await em.count(Agenda, { customerId, kind, held: false, testClockId: null, dueAt: { $lt: now } })) > 0;
}

/** The customer of a grant whose row is due on a test clock. */
export async function carryOutExpiryOf(tx: Tx, { subject }: { subject: string }, now: Instant): Promise<void> {
  const { customerId } = await tx.em.findOneOrFail(CreditGrant, { id: subject }, { fields: ['customerId'], disableIdentityMap: true });
  await carryOutExpiry(tx, customerId, now);
}
