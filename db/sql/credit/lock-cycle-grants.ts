import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { OPEN_GRANT, type OpenGrant } from './lock-grants.ts';

/** Credits that the plans of a chain have given since the start of its cycle. */
interface CycleGrants {
  rootId: string;
  currency: Currency;
  since: Instant;
}

const valuesOf = ({ rootId, currency, since }: CycleGrants): unknown[] => [rootId, currency, stamp(since)];

/**
 * Locks what is left of the credits that the plans of a chain have given since the start of its cycle, by their id.
 * SQL, because the chain's contracts are found by their root, and what gates hold is compared.
 */
export const lockCycleGrants = (tx: Queryable, cycle: CycleGrants): Promise<(OpenGrant & { amount: string })[]> =>
  tx.query(
    `select ${OPEN_GRANT}, amount from credit_grant
     where contract_id in (select id from contract where root_id = $1) and rolled_from is null and currency = $2
       and effective_at >= $3 and balance > held
     order by id for update`,
    valuesOf(cycle),
  );

/** The ids of all of them, without locks. SQL, because the condition has to be the one above. */
export async function idsOfCycleGrants(db: Queryable, cycle: CycleGrants): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    `select id from credit_grant
     where contract_id in (select id from contract where root_id = $1) and rolled_from is null and currency = $2 and effective_at >= $3`,
    valuesOf(cycle),
  );
  return new Set(rows.map(({ id }) => id));
}
