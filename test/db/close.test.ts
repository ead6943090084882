import { connect } from '../../db/connect.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';

/** Connections that Postgres knows by a name of ours. */
const open = (name: string) =>
  withTestDatabase((db) => db.query<{ pid: number }>('select pid from pg_stat_activity where application_name = $1', [name]));

it.each(['plain statements only', 'a transaction too'])(
  'a database that ran %s leaves no connection open when it is closed',
  async (what) => {
    const name = `close_${process.pid}_${what.length}`;
    const { databaseUrl } = await servers();
    const db = await connect({ databaseUrl, databasePool: 2 });
    await db.query(`set application_name = '${name}'`);
    if (what !== 'plain statements only') await db.transaction((tx) => tx.query('select 1'));
    expect(await open(name)).toHaveLength(1);
    await db.close();
    // not only after the ten idle seconds of a pool that is open
    expect([db.pool.ended, db.pool.totalCount]).toEqual([true, 0]);
    await eventually(async () => expect(await open(name)).toEqual([]));
  },
);
