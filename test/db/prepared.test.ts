import { connect } from '../../db/connect.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';

/** A database of its own: its table isn't among those that the entities describe. */
let own: OwnDatabase;
beforeAll(async () => {
  own = await ownDatabase();
});
afterAll(() => own?.drop());

describe('a prepared statement', () => {
  it('goes on when a migration beside us gives its table another column', async () => {
    const table = 'prepared';
    const db = await connect({ databaseUrl: own.databaseUrl, databasePool: 3 });
    try {
      await db.query(`create table ${table} (a int)`);
      await db.query(`insert into ${table} values (1)`);
      const read = () => db.prepared('prepared_test', `select * from ${table}`, []);
      const readAlso = () => db.preparing.query(`select * from ${table} where a = $1`, [1]);
      const inside = `select * from ${table} where a <= $1`;
      const readInside = () =>
        db.transaction(
          async (tx) => {
            const rows = await tx.query(inside, [1]);
            expect(await tx.query('select from pg_prepared_statements where statement = $1', [inside])).not.toEqual([]);
            return rows;
          },
          { prepare: true },
        );
      const together = `select * from ${table} where a >= $1`;
      const readTogether = () => db.reading((reads) => reads.query(together, [1]));
      const many = () => Promise.all([read, readAlso, readInside, readTogether].flatMap((one) => [one(), one()]));
      expect(await many()).toEqual(Array.from({ length: 8 }, () => [{ a: 1 }]));
      await own.db.query(`alter table ${table} add column b int default 2`);
      expect(await many()).toEqual(Array.from({ length: 8 }, () => [{ a: 1, b: 2 }]));
      await expect(db.prepared('prepared_broken', `select 1/0 from ${table}`, [])).rejects.toThrow('division by zero');
    } finally {
      await db.close();
    }
  });
});
