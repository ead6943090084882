import type { UsagePeriod } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import { usagePeriodProjection } from '../projections.ts';

/** An index has just these, however many others wait. */
const CLOSES_BY_ITSELF = `(p.status = 'open' or p.closes_at is not null)`;
const COLUMNS = usagePeriodProjection.columns('p');
const SQL = `
  select ${COLUMNS} from usage_period p where p.contract_id = any($1::text[]) and p.status <> 'closed'
  union all
  select ${COLUMNS} from usage_period p where p.contract_id = any($2::text[]) and p.status <> 'closed' and ${CLOSES_BY_ITSELF}
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
