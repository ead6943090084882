import { connect } from '../../db/connect.ts';
import { CommitUnknown } from '../../db/sql/transaction/commit-fate.ts';
import { withTestDatabase } from '../support/database.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { PostgresProxy } from '../support/postgres-proxy.ts';
import { asAdministrator } from '../support/vendor.ts';

let stack: OwnStack;
beforeAll(async () => {
  stack = await ownStack();
  // no other transaction takes an id here
  for (const part of ['worker', 'api', 'temporal'] as const) await stack.kill9(part);
});
afterAll(() => stack?.stop());

describe('a Postgres that crashes before it has written a COMMIT, and gives the id of the transaction to another that commits', () => {
  it('is no reason to believe that ours was written', async () => {
    const proxy = await PostgresProxy.open(stack.servers.databaseUrl);
    const db = await connect({ databaseUrl: proxy.databaseUrl, databasePool: 2 });
    const ids: string[] = [];
    const writes = async (within: typeof db, n: number): Promise<void> =>
      within.transaction(async (tx) => {
        const [row] = await tx.query<{ id: string }>('insert into crashed values ($1) returning pg_current_xact_id()::text as id', [n]);
        ids.push(row?.id ?? '');
      });
    try {
      await withTestDatabase((direct) => direct.query('create table crashed (n int)'), stack.servers);
      // what isn't committed stays in memory
      await asAdministrator(`alter system set wal_writer_delay = '10s'`, stack.servers);
      await asAdministrator('select pg_reload_conf()', stack.servers);
      proxy.cutNextCommit('unsent', { staysAway: true });
      const outcome = writes(db, 1).then(
        () => 'written',
        (error: unknown) => error,
      );
      while (!proxy.hasCut) await new Promise(setImmediate);
      await stack.kill9('postgres');
      await stack.restart('postgres');
      await withTestDatabase((other) => writes(other, 2), stack.servers);
      proxy.comesBack();
      expect(await outcome).toBeInstanceOf(CommitUnknown);
      expect(ids[1]).toBe(ids[0]);
      expect(await withTestDatabase((direct) => direct.query('select n from crashed'), stack.servers)).toEqual([{ n: 2 }]);
    } finally {
      await db.close();
      await proxy.close();
    }
  });
});
