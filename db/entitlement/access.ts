import type { Contract } from '../../billing/contract/types.ts';
import type { Database } from '../connect.ts';
import { type ContractRecordRow, toContract } from '../mapping/contract.ts';

export interface EntitledContract {
  contract: Contract;
  /** units reported in the running period, by feature */
  used: Record<string, string>;
}

export interface CustomerAccess {
  status: 'active' | 'inactive' | 'temporary';
  contracts: EntitledContract[];
}

type AccessRow = ContractRecordRow & { customer_status: CustomerAccess['status']; used: Record<string, string> | null };

/** One statement for the whole answer: the contract's row holds its own copy of what was sold, the counters what was used of it. */
const SQL = `select customer.status as customer_status, contract.*,
    (select jsonb_object_agg(u.feature_slug, trim_scale(u.units)::text) from usage_counter u
       where u.contract_id = contract.id and u.period_idx = case when contract.start_at is null then 0 else coalesce(contract.current_idx, 0) end) as used
  from customer left join contract on contract.customer_id = customer.id and (contract.status = 'active' or contract.id = $3)
  where customer.vendor_id = $1 and customer.id = $2
  order by contract.activation desc nulls last, contract.created desc, contract.id desc`;

/**
 * A customer's live contracts, the most recently activated first; with `contractId` that one first, whatever its state.
 *
 * @returns null when there is no such customer; an unknown contract leaves the list as it is
 */
export async function readAccess(
  db: Database,
  vendorId: string,
  customerId: string,
  contractId: string | null,
): Promise<CustomerAccess | null> {
  const rows = await db.prepared<AccessRow>('entitlement_access', SQL, [vendorId, customerId, contractId]);
  const [first] = rows;
  if (first === undefined) return null;
  const contracts = rows.filter((row) => row.id !== null).map((row) => ({ contract: toContract(row), used: row.used ?? {} }));
  const asked = contracts.filter(({ contract }) => contract.id === contractId);
  return { status: first.customer_status, contracts: [...asked, ...contracts.filter(({ contract }) => contract.id !== contractId)] };
}
