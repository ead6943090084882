import type { Queryable } from '../../connect.ts';
import { closesByItself } from '../contract/open-periods.ts';
import { rowVersion } from '../contract/row-version.ts';
import type { CounterKey } from './part.ts';

/**
 * SQL: names all that the price of a contract `t`'s open usage depends on besides its counters. Any write of the
 * contract, its customer or its open periods, and each voided invoice of the customer's usage so far gives another
 * name. Those are counted by the customer: the chain has a contract for each change. Periods that only a caller closes,
 * which may be thousands, are left out: what writes one of them writes the contract too, or looks at it again.
 */
export const PRICED_STATE = `concat_ws(' ', ${rowVersion('t')}, (select c.xmin::text from customer c where c.id = t.customer_id),
    (select string_agg(p.idx || ':' || p.xmin::text, ' ' order by p.idx) from usage_period p where p.contract_id = t.id and ${closesByItself('p')}),
    (select count(*) from invoice_item i where i.customer_id = t.customer_id and i.part is not null and i.voided))`;

/** A counter, and the units that can still come; null: any number. */
export type CounterRoom = CounterKey & { units: string | null };

const SQL = `
  update usage_counter u set room_to = u.units + coalesce(k.units, 'Infinity'), room_in = ${PRICED_STATE}
  from unnest($1::text[], $2::int[], $3::text[], $4::numeric[]) as k(contract_id, idx, slug, units) join contract t on t.id = k.contract_id
  where u.contract_id = k.contract_id and u.period_idx = k.idx and u.feature_slug = k.slug`;

/**
 * Notes up to which count usage surely stays below its contract's invoice threshold, and for which state of the
 * contract. The caller has locked customers and contracts, and written all else. SQL, because the state is named by
 * versions of rows.
 */
export async function noteRoom(tx: Queryable, rooms: readonly CounterRoom[]): Promise<void> {
  if (rooms.length === 0) return;
  await tx.query(SQL, [
    rooms.map(({ contractId }) => contractId),
    rooms.map(({ idx }) => idx),
    rooms.map(({ slug }) => slug),
    rooms.map(({ units }) => units),
  ]);
}
