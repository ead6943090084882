import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';

export interface ContractKey {
  vendorId: string;
  contractId: string;
}

/** A contract that exists, with its test clock and the wall clock's time. */
export interface ContractClock extends ContractKey {
  customerId: string;
  clockId: string | null;
  now: Instant;
}

const SQL = `
  select ask.vendor_id as "vendorId", contract.id as "contractId", contract.customer_id as "customerId", contract.clock_id as "clockId", clock_timestamp() as now
  from unnest($1::text[], $2::text[]) as ask(vendor_id, id)
  cross join lateral (
    select c.id, c.customer_id, c.test_clock_id as clock_id from contract c where c.id = ask.id and c.vendor_id = ask.vendor_id offset 0
  ) contract`;

/** The clocks of contracts that estimates ask for. SQL: looked up by key for many requests in one statement. */
export const clocksOfContracts = (db: Queryable, keys: readonly ContractKey[]): Promise<ContractClock[]> =>
  db.query<ContractClock>(SQL, [keys.map(({ vendorId }) => vendorId), keys.map(({ contractId }) => contractId)]);
