import { connect, type Database, type Queryable } from '../../db/connect.ts';
import { sqlState } from '../../db/sql-state.ts';
import { together } from '../../db/together.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { RoundTrips } from '../support/round-trips.ts';

let own: OwnDatabase;
let db: Database;
let trips: RoundTrips;
beforeAll(async () => {
  own = await ownDatabase();
  db = await connect({ databaseUrl: own.databaseUrl, databasePool: 1 });
  trips = new RoundTrips(db.pool);
});
afterAll(async () => {
  await db.close();
  await own.drop();
});

const number = async (reads: Queryable, n: number): Promise<number | undefined> =>
  (await reads.query<{ n: number }>('select $1::int as n', [n]))[0]?.n;
const planMode = async (): Promise<string | undefined> =>
  (await db.query<{ plan_cache_mode: string }>('show plan_cache_mode'))[0]?.plan_cache_mode;

describe('reads that belong together', () => {
  it('have one connection, one round trip for what goes out at once, and one plan a statement, which others don’t', async () => {
    const before = trips.sent.length;
    const { result, taken } = await trips.of(() =>
      db.reading((reads) =>
        together(reads, [
          () => number(reads, 1),
          () => number(reads, 2),
          () => reads.query('show plan_cache_mode'),
          () => reads.query('select generic_plans::int as made from pg_prepared_statements where statement like $1', ['select $1::int%']),
        ]),
      ),
    );
    expect(result).toEqual([1, 2, [{ plan_cache_mode: 'force_generic_plan' }], [{ made: 2 }]]);
    expect(await planMode()).toBe('auto');
    expect(trips.sent.slice(before)[0]).toBe('begin');
    expect(trips.sent.slice(before)).toContain('commit');
    // the commit is the second one, for which nobody waits
    expect(taken).toBe(2);
  });

  it('fail with the cause, and leave the only connection to the next', async () => {
    const failing = db.reading((reads) => together(reads, [() => reads.query('select 1 / $1::int', [0]), () => number(reads, 3)]));
    expect(sqlState(await failing.catch((error: unknown) => error))).toBe('22012');
    expect(await db.reading((reads) => number(reads, 4))).toBe(4);
    expect(await planMode()).toBe('auto');
  });

  it('write nothing that stays when their work fails', async () => {
    const refused = db.reading(async (reads) => {
      await reads.query(`select set_config('application_name', $1, false)`, ['left behind']);
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    expect(await db.query('show application_name')).toEqual([{ application_name: 'perennial' }]);
  });
});
