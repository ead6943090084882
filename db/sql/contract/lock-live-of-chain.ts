import type { Queryable } from '../../connect.ts';
import { liveOfChain } from './live-of-chain.ts';

/**
 * The live contract whose next invoice takes up the corrections of a contract's closed usage, locked; null when there
 * is none. SQL, because MikroORM can't lock one of two joined rows.
 */
export async function lockLiveOfChain(tx: Queryable, contractId: string): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(
    `select payer.id from contract c join contract payer on payer.root_id = c.root_id and ${liveOfChain('c', 'payer')}
     where c.id = $1 for update of payer`,
    [contractId],
  );
  return row?.id ?? null;
}
