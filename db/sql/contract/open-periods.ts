import type { UsagePeriod } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import { usagePeriodProjection } from '../projections.ts';

const OPEN = `select ${usagePeriodProjection.columns('p')} from usage_period p where p.status <> 'closed'`;
/** An index has just these, however many others wait. */
const CLOSES_BY_ITSELF = `(p.status = 'open' or p.closes_at is not null)`;
const SQL = `${OPEN} and p.contract_id = any($1::text[])
  union all ${OPEN} and p.contract_id = any($2::text[]) and ${CLOSES_BY_ITSELF}
  order by "contractId", idx`;

/**
 * The usage periods of contracts that aren't closed yet. SQL: one of the statements that every step of a contract
 * needs.
 *
 * @param withoutLeft contracts of which periods that have ended, and that only a caller closes, aren't read
 */
export const openPeriods = async (
  tx: Queryable,
  contractIds: readonly string[],
  withoutLeft: readonly string[] = [],
): Promise<UsagePeriod[]> => (await tx.query(SQL, [contractIds, withoutLeft])).map(usagePeriodProjection.read);
