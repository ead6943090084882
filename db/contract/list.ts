import type { Pause } from '../../billing/calendar/pauses.ts';
import type { Contract } from '../../billing/contract/types.ts';
import type { Queryable } from '../connect.ts';
import { type ContractRecordRow, toContract } from '../mapping/contract.ts';
import { toPauses } from '../mapping/pauses.ts';
import type { List } from '../sql/list/page.ts';
import { Where } from '../sql/list/where.ts';

/** A contract with what its summary needs of the customer. */
export interface ListedContract {
  contract: Contract;
  customerName: string;
  pauses: Pause[];
}

export type ListedContractRow = ContractRecordRow & { customer_name: string; pauses: { from: string; to: string | null }[] | null };

const COLUMNS = `contract.*, customer.name as customer_name,
  (select jsonb_agg(jsonb_build_object('from', p.began, 'to', p.ended) order by p.began) from customer_pause p where p.customer_id = customer.id) as pauses`;
const FROM = 'contract join customer on customer.id = contract.customer_id';

export const toListed = (row: ListedContractRow): ListedContract => ({
  contract: toContract(row),
  customerName: row.customer_name,
  pauses: toPauses(row.pauses),
});

export function contractList(
  vendorId: string,
  filter: { customer?: string | undefined; plan?: string | undefined; status?: string | undefined },
): List {
  return {
    from: FROM,
    select: COLUMNS,
    at: 'contract.created',
    id: 'contract.id',
    where: new Where()
      .and('contract.vendor_id = ?', vendorId)
      .andGiven('contract.customer_id = ?', filter.customer)
      .andGiven('contract.plan_id = ?', filter.plan)
      .andGiven('contract.status = ?', filter.status),
  };
}

/** All contracts of some customers, in the order they were signed. */
export async function contractsOfCustomers(db: Queryable, customerIds: readonly string[]): Promise<Map<string, ListedContract[]>> {
  const rows = await db.query<ListedContractRow>(
    `select ${COLUMNS} from ${FROM} where contract.customer_id = any($1::text[]) order by contract.created, contract.id`,
    [customerIds],
  );
  return Map.groupBy(rows.map(toListed), ({ contract }) => contract.customerId);
}
