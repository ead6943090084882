import { connect } from '../../db/connect.ts';
import { CommitUnknown } from '../../db/sql/transaction/commit-fate.ts';
import { PostgresProxy } from '../support/postgres-proxy.ts';
import { type OwnPostgres, ownPostgres } from './own-postgres.ts';

// no other transaction takes an id here
let postgres: OwnPostgres;
beforeAll(async () => {
  postgres = await ownPostgres();
});
afterAll(() => postgres?.stop());

describe('a Postgres that crashes before it has written a COMMIT, and gives the id of the transaction to another that commits', () => {
  it('is no reason to believe that ours was written', async () => {
    const proxy = await PostgresProxy.open(postgres.databaseUrl);
    const db = await connect({ databaseUrl: proxy.databaseUrl, databasePool: 2 });
    const ids: string[] = [];
    const writes = async (within: typeof db, n: number): Promise<void> =>
      within.transaction(async (tx) => {
        const [row] = await tx.query<{ id: string }>('insert into crashed values ($1) returning pg_current_xact_id()::text as id', [n]);
        ids.push(row?.id ?? '');
      });
    try {
      await postgres.withDatabase((direct) => direct.query('create table crashed (n int)'));
      // what isn't committed stays in memory
      await postgres.writeSeldom();
      proxy.cutNextCommit('unsent', { staysAway: true });
      const outcome = writes(db, 1).then(
        () => 'written',
        (error: unknown) => error,
      );
      while (!proxy.hasCut) await new Promise(setImmediate);
      await postgres.kill9();
      await postgres.restart();
      await postgres.withDatabase((other) => writes(other, 2));
      proxy.comesBack();
      expect(await outcome).toBeInstanceOf(CommitUnknown);
      expect(ids[1]).toBe(ids[0]);
      expect(await postgres.withDatabase((direct) => direct.query('select n from crashed'))).toEqual([{ n: 2 }]);
    } finally {
      await db.close();
      await proxy.close();
    }
  });
});
