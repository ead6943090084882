import type { Queryable } from '../../connect.ts';
import { LEASE_END, LEASED, type LeasedMessage, OPEN } from './leased-message.ts';

/**
 * Leases open messages whose time has come, those that wait longest first. SQL, because MikroORM can't update rows that
 * it has found with `skip locked` in one statement.
 */
export function leaseDue(db: Queryable, limit: number): Promise<LeasedMessage[]> {
  return db.query<LeasedMessage>(
    `update outbox o set leased_until = ${LEASE_END}
     where (o.kind, o.workflow_id) in (
       select kind, workflow_id from outbox o where o.next_try <= (select clock_timestamp()) and ${OPEN}
       order by o.next_try limit $1 for update skip locked
     ) returning ${LEASED}`,
    [limit],
  );
}
