import type { Queryable } from '../../connect.ts';
import { LISTED_CONTRACT_COLUMNS, LISTED_CONTRACT_FROM, type ListedContract, type ListedContractRow, toListed } from './list.ts';

/**
 * Contracts of a vendor in their free trials, those first that end first; a freeze may have moved the end. SQL: the
 * columns of the list, in the order of an index of trials alone.
 */
export async function runningTrials(db: Queryable, vendorId: string, clockId: string, most: number): Promise<ListedContract[]> {
  const rows = await db.query<ListedContractRow>(
    `select ${LISTED_CONTRACT_COLUMNS} from ${LISTED_CONTRACT_FROM}
     where contract.vendor_id = $1 and contract.status = 'active' and contract.start_at is null and contract.trial_end is not null
       and coalesce(contract.test_clock_id, '') = $2
     order by contract.trial_end, contract.id limit $3`,
    [vendorId, clockId, most],
  );
  return rows.map(toListed);
}
