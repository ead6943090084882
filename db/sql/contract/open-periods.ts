import type { UsagePeriod } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import { usagePeriodProjection } from '../projections.ts';

const SQL = `select ${usagePeriodProjection.columns('p')} from usage_period p
  where p.contract_id = any($1::text[]) and p.status <> 'closed' order by p.contract_id, p.idx`;

/**
 * The usage periods of contracts that aren't closed yet. SQL: one of the statements that every step of a contract
 * needs.
 */
export const openPeriods = async (tx: Queryable, contractIds: readonly string[]): Promise<UsagePeriod[]> =>
  (await tx.query(SQL, [contractIds])).map(usagePeriodProjection.read);
