import type { Instant } from '../../billing/calendar/instant.ts';
import { CONTRACT_KINDS } from '../agenda/contract-rows.ts';
import type { Queryable } from '../connect.ts';
import { stamp } from '../rows.ts';

/**
 * Contracts with something due at or before an instant, on one clock or on none, earliest first; ties by contract id. Those of frozen
 * customers are left out only as far as their agenda says nothing; parked ones always.
 */
export async function dueContracts(
  tx: Queryable,
  clockId: string | null,
  upTo: Instant,
  limit: number,
  except: readonly string[] = [],
): Promise<string[]> {
  const clock = clockId === null ? 'a.test_clock_id is null' : 'a.test_clock_id = $5';
  const rows = await tx.query<{ contract_id: string }>(
    `select a.contract_id from agenda a join contract c on c.id = a.contract_id
     where ${clock} and a.due_at <= $1 and a.kind = any($2::text[]) and c.parked_reason is null and not (a.contract_id = any($3::text[]))
     group by a.contract_id order by min(a.due_at), a.contract_id limit $4`,
    [stamp(upTo), CONTRACT_KINDS, except, limit, ...(clockId === null ? [] : [clockId])],
  );
  return rows.map((row) => row.contract_id);
}

/** Whether a contract has something due. */
export async function isDue(tx: Queryable, contractId: string, upTo: Instant): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from contract c where c.id = $1 and c.parked_reason is null
       and exists (select 1 from agenda where contract_id = c.id and due_at <= $2 and kind = any($3::text[]))`,
    [contractId, stamp(upTo), CONTRACT_KINDS],
  );
  return rows.length > 0;
}

/** Those of some contracts that have something due. */
export async function dueAmong(tx: Queryable, contractIds: readonly string[], upTo: Instant): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id from unnest($1::text[]) with ordinality as x(id, place)
     where exists (select 1 from agenda where contract_id = x.id and due_at <= $2 and kind = any($3::text[])) order by place`,
    [contractIds, stamp(upTo), CONTRACT_KINDS],
  );
  return rows.map((row) => row.id);
}

/** Milliseconds until the next thing is due for a contract of the wall clock; null when nothing is within a time. What is due already doesn't count. */
export async function nextDueIn(tx: Queryable, within: number): Promise<number | null> {
  const [row] = await tx.query<{ wait: number | null }>(
    `select greatest(0, ceil(extract(epoch from min(due_at) - clock_timestamp()) * 1000))::float8 as wait from agenda
     where test_clock_id is null and due_at > clock_timestamp() and due_at <= clock_timestamp() + $1 * interval '1 millisecond'
       and kind = any($2::text[])`,
    [within, CONTRACT_KINDS],
  );
  return row?.wait ?? null;
}
