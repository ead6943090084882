import { connect, type Database } from '../../db/connect.ts';
import { mayPass } from '../../db/fault.ts';
import { PostgresProxy } from '../support/postgres-proxy.ts';
import { servers } from '../support/servers.ts';

let proxy: PostgresProxy;
let db: Database;
beforeAll(async () => {
  proxy = await PostgresProxy.open((await servers()).databaseUrl);
  db = await connect({ databaseUrl: proxy.databaseUrl, databasePool: 2 });
});
afterAll(async () => {
  await db.close();
  await proxy.close();
});

/** A transaction that has begun, and goes on when the test says so. */
async function begun() {
  const { promise: open, resolve: isOpen } = Promise.withResolvers<void>();
  const { promise: signal, resolve: goOn } = Promise.withResolvers<void>();
  const work = db.transaction(async (tx) => {
    await tx.query('select 1');
    isOpen();
    await signal;
    return tx.query<{ two: number }>('select 2 as two');
  });
  const outcome = work.catch((error: unknown) => error);
  await open;
  return { goOn, outcome };
}

describe('transactions whose connections break', () => {
  it.each(['while they work', 'between two statements'])(
    '%s, all there are, six times over: each fails with an error that passes, and the next is served',
    async (when) => {
      for (let round = 0; round < 6; round += 1) {
        const both = [await begun(), await begun()];
        if (when === 'while they work') for (const { goOn } of both) goOn();
        proxy.cutAll();
        for (const { goOn } of both) goOn();
        for (const { outcome } of both) {
          const result = await outcome;
          if (result instanceof Error) expect(mayPass(result)).toBe(true);
          else expect(result).toEqual([{ two: 2 }]);
        }
        expect(await await begunAndDone()).toEqual([{ two: 2 }]);
      }
      expect(db.pool.waitingCount).toBe(0);
    },
  );
});

async function begunAndDone() {
  const { goOn, outcome } = await begun();
  goOn();
  return outcome;
}
