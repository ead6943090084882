import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Contract } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import type { LockStrength } from '../lock.ts';
import { contractProjection } from '../projections.ts';
import { takesUsage } from './takes-usage.ts';

/** What usage is looked for a contract of. */
interface UsageOwned {
  customerId: string;
  slug: string;
  at: Instant;
}

const FOUND = `select c.id, c.root_id, c.created from contract c where c.customer_id = $1 and not c.is_successor and ${takesUsage('c', '$2')}`;

const sql = (strength: LockStrength): string => `
  with found as (
    ${FOUND} and c.ended is null
    union all
    ${FOUND} and c.ended > $3 and c.began <= $3
  ),
  chosen as materialized (select id, root_id from found order by created desc, id desc limit $4)
  select ${contractProjection.columns('c')}, c.id in (select id from chosen) as "isChosen" from contract c
  where c.id = any(array(select id from chosen union all select root_id from chosen))
  order by c.id <> c.root_id, c.id for ${strength} of c`;

/**
 * The youngest of a customer's contracts that may own a feature's usage of an instant: those that have not ended, begun
 * or not, and those that had begun by then and ended after it. Locked with their chains, in the one order: first
 * contracts of chains, then the others, each by id. What has ended before is neither read nor locked, however many
 * changes have left it. SQL, because it looks into the JSON of what was sold, for every usage event that is decided one
 * by one.
 *
 * @param most how many are looked at
 * @returns youngest first
 */
export async function lockContractsWith(
  tx: Queryable,
  { customerId, slug, at }: UsageOwned,
  most: number,
  strength: LockStrength,
): Promise<Contract[]> {
  const rows = await tx.query<{ isChosen: boolean }>(sql(strength), [customerId, slug, stamp(at), most]);
  return rows
    .filter(({ isChosen }) => isChosen)
    .map(contractProjection.read)
    .sort((a, b) => b.created - a.created || (a.id < b.id ? 1 : -1));
}
