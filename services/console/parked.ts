import type { Database } from '../../db/connect.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { Customer } from '../../db/entities/customer.ts';

/** A contract that is set aside until somebody resumes it. */
export interface ParkedContract {
  id: string;
  planName: string;
  customerId: string;
  customerName: string;
  reason: string;
}

const MOST_PARKED = 25;

/** The vendor's parked contracts of one clock, null for the wall clock: few, by an index of those alone. */
export async function readParked(db: Database, vendorId: string, clockId: string | null): Promise<ParkedContract[]> {
  const em = db.em();
  const parked = await em.find(
    ContractRecord,
    { vendorId, clockId, parkedReason: { $ne: null } },
    { fields: ['id', 'planName', 'customerId', 'parkedReason'], orderBy: { id: 'asc' }, limit: MOST_PARKED },
  );
  const ids = [...new Set(parked.map(({ customerId }) => customerId))];
  const owners = ids.length === 0 ? [] : await em.find(Customer, { id: { $in: ids } }, { fields: ['id', 'name'] });
  const names = new Map(owners.map(({ id, name }) => [id, name]));
  return parked.map(({ id, planName, customerId, parkedReason }) => ({
    id,
    planName,
    customerId,
    customerName: names.get(customerId) ?? '',
    reason: parkedReason ?? '',
  }));
}
