import { exportServer } from '../../db/sql/export/server.ts';
import { type OwnPostgres, ownPostgres } from './own-postgres.ts';

let postgres: OwnPostgres;
beforeAll(async () => {
  postgres = await ownPostgres();
});
afterAll(() => postgres?.stop());

describe('the number up to which an export reads', () => {
  it('is given to no transaction after a crash, though all of those before it were rolled back', async () => {
    // else Postgres might write the numbers to disk by itself before the crash
    await postgres.writeSeldom();
    const { name, settled } = await postgres.withDatabase(async (db) => {
      for (let n = 0; n < 50; n += 1) await db.query('select 1 / (pg_current_xact_id()::text::bigint * 0)').catch(() => undefined);
      return await exportServer(db);
    });
    await postgres.crash();
    await postgres.restart();
    await postgres.withDatabase(async (db) => {
      const [next] = await db.query<{ xid: string }>('select pg_current_xact_id()::text as xid');
      expect(BigInt(next?.xid ?? '') >= settled).toBe(true);
      expect((await exportServer(db)).name).toBe(name);
    });
  });
});
