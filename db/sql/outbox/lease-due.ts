import type { Queryable } from '../../connect.ts';
import { type LeasedMessage, leaseSql, OPEN } from './leased-message.ts';

const SQL = leaseSql(
  `select o.kind, o.workflow_id, o.leased_until, o.begins_at, o.seen from outbox o where o.next_try <= (select clock_timestamp()) and ${OPEN}
   order by o.next_try limit $1 for no key update skip locked`,
);

/**
 * Leases open messages whose time has come, those that wait longest first. SQL, because MikroORM can't update rows that
 * it has found with `skip locked` in one statement.
 */
export const leaseDue = (db: Queryable, limit: number): Promise<LeasedMessage[]> => db.query<LeasedMessage>(SQL, [limit]);
