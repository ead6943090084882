import type { Queryable } from '../../connect.ts';

const SQL = `select test_clock_id as "clockId", set_config('lock_timeout', '1s', true) from contract where vendor_id = $1 and id = $2`;

/**
 * The test clock of a vendor's contract, null without one; undefined when there is no such contract. From here on the
 * transaction waits for no lock longer than a second. SQL, because both are one round trip, before every change of a
 * contract.
 */
export async function clockOfContractToLock(tx: Queryable, vendorId: string, contractId: string): Promise<string | null | undefined> {
  const [place] = await tx.query<{ clockId: string | null }>(SQL, [vendorId, contractId]);
  return place?.clockId;
}
