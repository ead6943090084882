import type { Instant } from '../../billing/calendar/instant.ts';
import type { Database } from '../connect.ts';
import { CreditGrant, type CreditGrantRecord } from '../entities/credit.ts';
import { Customer } from '../entities/customer.ts';
import { nowOf } from '../sql/clock/now-of.ts';

/** Grants of one vendor by id, each with the time on its customer's clock. */
export async function grantsWithNow(
  db: Database,
  vendorId: string,
  ids: readonly string[],
): Promise<Map<string, { grant: CreditGrantRecord; now: Instant }>> {
  const em = db.em();
  const grants = await em.find(CreditGrant, { vendorId, id: { $in: [...ids] } });
  const customers = await em.find(Customer, { id: { $in: grants.map(({ customerId }) => customerId) } }, { fields: ['clockId'] });
  const clocks = new Map(customers.map(({ id, clockId }) => [id, clockId]));
  const times = new Map<string | null, Instant>();
  for (const clockId of new Set(clocks.values())) times.set(clockId, await nowOf(db, clockId));
  return new Map(grants.map((grant) => [grant.id, { grant, now: times.get(clocks.get(grant.customerId) ?? null) ?? 0 }]));
}
