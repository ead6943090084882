import type { Instant } from '../../billing/calendar/instant.ts';
import { usageSources } from '../../billing/contract/period/sources.ts';
import { expiresAt, type UsageTime } from '../../billing/credit/expiry.ts';
import { dec } from '../../billing/money/decimal.ts';
import type { Tx } from '../../db/connect.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { UsagePeriodRecord } from '../../db/entities/usage.ts';
import { newId } from '../../db/id.ts';
import { lockExpiringGrants } from '../../db/sql/credit/lock-expiring.ts';
import type { OpenGrant } from '../../db/sql/credit/lock-grants.ts';
import { dropExpiries } from './agenda.ts';
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
