import type { Queryable } from '../../connect.ts';

/** One month's partition of the usage events: of the ids from `from` on, up to `to`, which isn't included. */
export interface UsageMonth {
  name: string;
  from: string;
  to: string;
}

const SQL = `select m.name, m.from_id as "from", m.to_id as "to"
  from unnest($1::text[], $2::text[], $3::text[]) as m(name, from_id, to_id)
  where to_regclass(m.name) is null and not exists (select from usage_month_other e where e.id >= m.from_id and e.id < m.to_id)`;

/**
 * Which of these months have no partition yet. One whose events have begun to arrive without it keeps them where they
 * are. SQL, because it asks about tables.
 */
export const monthsToMake = (tx: Queryable, months: readonly UsageMonth[]): Promise<UsageMonth[]> =>
  tx.query<UsageMonth>(SQL, [months.map(({ name }) => name), months.map(({ from }) => from), months.map(({ to }) => to)]);
