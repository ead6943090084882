import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Contract } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import { pausesOf, type StoredPauses } from '../customer/pauses.ts';
import { ratesOf, type TaxFacts } from '../tax/context.ts';
import { liveKey } from '../vendor-account/live-key.ts';

/** The contract of a payment gate that ended without its payment, with what surrounds it. */
export interface EndedGateRow extends TaxFacts {
  contract: Contract;
  ended: Instant;
  customerName: string;
  pauses: StoredPauses;
}

const SQL = `select g.contract, g.ended, customer.name as "customerName", customer.addresses, customer.vat_id as "vatId",
    vendor.tax_policy as "taxPolicy", vendor.seller, ${pausesOf('g.customer_id')} as pauses, ${ratesOf('g.vendor_id')} as rates
  from payment_gate g join customer on customer.id = g.customer_id join vendor on vendor.id = g.vendor_id
  where g.contract_id = $1 and g.vendor_id is not distinct from $2 and g.status not in ('waiting', 'succeeded') and ${liveKey('$3::text', '$4')}`;

/** Null for a key that has ended, too. SQL, because the statement itself checks the key, as that of other contracts. */
export async function readEndedGate(
  db: Queryable,
  { vendorId, contractId, keyId }: { vendorId: string; contractId: string; keyId: string },
  keys: unknown,
): Promise<EndedGateRow | null> {
  const [row] = await db.query<EndedGateRow>(SQL, [contractId, vendorId, keyId, keys]);
  return row ?? null;
}
