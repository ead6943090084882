import type { Queryable } from '../../connect.ts';
import type { PartKey } from './part.ts';

/**
 * The periods of a contract that go on from a predecessor's. SQL, because a list page of usage periods begins with it.
 */
export const followingPeriods = (db: Queryable, contractId: string): Promise<PartKey[]> =>
  db.query<PartKey>(
    'select contract_id as "contractId", idx from usage_period where contract_id = $1 and follows_contract_id is not null',
    [contractId],
  );
