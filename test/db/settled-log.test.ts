import type { Database, Queryable } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { settleLog } from '../../db/sql/event/settle.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { settledSeq } from '../../services/webhook/settled.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';

let own: OwnDatabase;
let db: Database;
let vendorId: string;
beforeAll(async () => {
  own = await ownDatabase();
  db = own.db;
  ({ vendorId } = await createVendor(db, 'settled'));
});
afterAll(() => own.drop());

const event = () => ({ vendorId, type: 'v1.customer.updated' as const, objectId: newId('Cust'), at: Date.now(), data: {} });
const happen = (n = 1) => db.transaction((tx) => publish(tx, Array.from({ length: n }, event)));
const missingNumbers = async () => {
  const undone = db.transaction(async (tx) => {
    await publish(tx, [event(), event()]);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
};
/** The whole log, once the transactions of other databases on the server that hold it up have ended. */
const wholeLog = () =>
  eventually(async () => {
    const { settled, last } = await settleLog(db);
    expect(settled).toBe(last);
    return settled;
  });

/** Runs `during` while a transaction has a number of the log, and the later numbers are committed. */
async function withLateCommit(during: (before: string) => Promise<void>): Promise<void> {
  const before = await wholeLog();
  await db.transaction(async (tx) => {
    await publish(tx, [event()]);
    await happen(3);
    await during(before);
  });
}

describe('how far the log is settled', () => {
  it('is at its end at once while no number is missing, also beside a long transaction that has none', async () => {
    await wholeLog();
    await db.transaction(async (tx) => {
      await tx.query('select pg_current_xact_id()');
      await happen(2);
      const { settled, last } = await settleLog(db);
      expect(settled).toBe(last);
    });
  });

  it('is before the number of a transaction that is open, however often one looks, and at the end after its commit', async () => {
    await withLateCommit(async (before) => {
      for (const _look of [1, 2, 3]) expect(await settleLog(db)).toMatchObject({ settled: before, last: String(Number(before) + 4) });
    });
    const { settled, last } = await settleLog(db);
    expect(settled).toBe(last);
  });

  it('passes numbers that were rolled back, once every transaction that might have them has ended', async () => {
    await wholeLog();
    await missingNumbers();
    await happen();
    expect(Number(await wholeLog())).toBeGreaterThan(0);
    await db.transaction(async (tx) => {
      await tx.query('select pg_current_xact_id()');
      const { last: before } = await settleLog(db);
      await missingNumbers();
      await happen();
      expect((await settleLog(db)).settled).toBe(before);
    });
    await wholeLog();
  });

  it('goes on in steps of 1,000 where much has come', async () => {
    const before = Number(await wholeLog());
    await happen(2_500);
    const steps = [await settleLog(db), await settleLog(db), await settleLog(db)].map(({ settled }) => Number(settled) - before);
    expect(steps.at(-1)).toBe(2_500);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  });
});

describe('a reader', () => {
  it('waits for what holds up its vendor, not for what holds up another, and never long', async () => {
    const { vendorId: other } = await createVendor(db, 'another');
    await withLateCommit(async (before) => {
      const looksOf = async (reader: string): Promise<number> => {
        let looks = 0;
        const counting: Queryable = {
          query: (sql, params) => {
            if (sql.includes('from event_mark m')) looks += 1;
            return db.query(sql, params);
          },
        };
        expect(await settledSeq(counting, reader)).toBe(before);
        return looks;
      };
      const began = performance.now();
      // the first look and one after each of seven pauses
      expect(await looksOf(vendorId)).toBe(1 + 7);
      expect(performance.now() - began).toBeGreaterThan(600);
      expect(await looksOf(other)).toBe(1);
    });
  });
});
