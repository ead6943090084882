import type { Queryable } from '../../db/connect.ts';

/**
 * How many sessions wait for a lock that this transaction holds, also in line after another. Any other session that
 * waits in the database at the same time doesn't count. It is asked on another connection, because the transaction's
 * own may be busy.
 */
export async function waitingFor(holder: Queryable, beside: Queryable): Promise<number> {
  const [held] = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
  const [found] = await beside.query<{ waiting: number }>(
    `with recursive waiting (pid) as (
       select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))
       union select a.pid from pg_stat_activity a join waiting w on w.pid = any(pg_blocking_pids(a.pid)))
     select count(*)::int as waiting from waiting`,
    [held?.pid],
  );
  return found?.waiting ?? 0;
}
