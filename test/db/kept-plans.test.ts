import { connect } from '../../db/connect.ts';
import { readDetails } from '../../db/sql/contract/detail.ts';
import { readStandings } from '../../db/sql/contract/read-standings.ts';
import { readAccess } from '../../db/sql/entitlement/read-access.ts';
import { findKeys } from '../../db/sql/vendor-account/find-keys.ts';
import { ownDatabase } from '../support/own-database.ts';

it('what is asked for with every request is planned a few times, whatever the lists’ lengths, and then no more', async () => {
  // which plan is cheaper hangs on what the tables hold too
  const { databaseUrl, drop } = await ownDatabase();
  const db = await connect({ databaseUrl, databasePool: 1 });
  try {
    const ids = (n: number): string[] => Array.from({ length: 1 + (n % 4) }, (_, at) => `none-${n}-${at}`);
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
    }
    const plans = await db.query<{ name: string; custom: string }>(
      'select name, custom_plans as custom from pg_prepared_statements where custom_plans + generic_plans >= 20',
    );
    expect(plans.length).toBeGreaterThanOrEqual(4);
    expect(plans.filter(({ custom }) => Number(custom) > 5)).toEqual([]);
  } finally {
    await db.close();
    await drop();
  }
});
