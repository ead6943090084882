import type { UsagePeriod } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import { usagePeriodProjection } from '../projections.ts';
import type { PartKey } from './part.ts';

const SQL = `select ${usagePeriodProjection.columns('p')} from usage_period p
  where (p.contract_id, p.idx) in (select contract_id, idx from unnest($1::text[], $2::int[]) as given(contract_id, idx))`;

/** Usage periods by their keys. SQL: the pairs of many contracts are two arrays, whatever their number. */
export const periodsByKeys = async (tx: Queryable, keys: readonly PartKey[]): Promise<UsagePeriod[]> =>
  (await tx.query(SQL, [keys.map(({ contractId }) => contractId), keys.map(({ idx }) => idx)])).map(usagePeriodProjection.read);
