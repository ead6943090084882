import { settleLog } from '../../db/sql/event/settle.ts';
import { withTestDatabase } from './database.ts';
import { eventually } from './eventually.ts';

/** Waits until the log is settled up to all that was committed before: transactions of other tests hold it up too. */
export const settledLog = (): Promise<void> =>
  withTestDatabase(async (db) => {
    const { last } = await settleLog(db);
    await eventually(async () => expect(Number((await settleLog(db)).settled)).toBeGreaterThanOrEqual(Number(last)));
  });
