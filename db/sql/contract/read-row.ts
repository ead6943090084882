import type { Contract } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import { type ContractRecordRow, toContract } from '../../mapping/contract.ts';

/** A contract by its id. SQL, as all that reads contracts for a rule. */
export async function readContractRow(tx: Queryable, id: string): Promise<Contract | null> {
  const [row] = await tx.query<ContractRecordRow>('select * from contract where id = $1', [id]);
  return row === undefined ? null : toContract(row);
}
