import { connect } from '../../db/connect.ts';
import { readDetails } from '../../db/sql/contract/detail.ts';
import { readStandings } from '../../db/sql/contract/read-standings.ts';
import { readAccess } from '../../db/sql/entitlement/read-access.ts';
import { leaseGiven } from '../../db/sql/outbox/lease-given.ts';
import { markSent } from '../../db/sql/outbox/mark-sent.ts';
import { findKeys } from '../../db/sql/vendor-account/find-keys.ts';
import { startsOf } from '../../temporal/start.ts';
import { servers } from '../support/servers.ts';

it('what is asked for with every request and every message is planned a few times, whatever the lists’ lengths, and then no more', async () => {
  const { databaseUrl } = await servers();
  const db = await connect({ databaseUrl, databasePool: 1 });
  try {
    const ids = (n: number): string[] => Array.from({ length: 1 + (n % 4) }, (_, at) => `none-${n}-${at}`);
    const messages = (kind: string, n: number) => ids(n).map((workflowId) => ({ kind, workflowId }));
    const lease = { lease: 0, wanted: '1', tries: 0, isFirst: true, isUntried: true, waitsSince: null, trace: null };
    for (let n = 0; n < 20; n += 1) {
      await findKeys(db, 'hash', ids(n));
      await readDetails(db, [ids(n), ids(n), ids(n), ids(n)]);
      await readAccess(
        db,
        ids(n).map((id) => ({ vendorId: id, keyId: id, customerId: id, contractId: null })),
      );
      await readStandings(
        db.preparing,
        ids(n).map((customerId) => ({ customerId, rootId: null, contractId: null })),
      );
      await leaseGiven(db.preparing, messages('payment', n));
      await startsOf(db.preparing, messages('payment', n));
      await startsOf(db.preparing, messages('contract', n));
      await markSent(
        db.preparing,
        messages('payment', n).map((message) => ({ message: { ...message, ...lease }, waits: null })),
      );
    }
    const plans = await db.query<{ name: string; custom: string }>(
      'select name, custom_plans as custom from pg_prepared_statements where custom_plans + generic_plans >= 20',
    );
    expect(plans.length).toBeGreaterThanOrEqual(9);
    expect(plans.filter(({ custom }) => Number(custom) > 5)).toEqual([]);
  } finally {
    await db.close();
  }
});
