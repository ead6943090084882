import { DEFAULT_CONFIGURATION } from '../../billing/contract/terms/sign.ts';
import { connect, type Database } from '../../db/connect.ts';
import { Vendor } from '../../db/entities/vendor.ts';
import { mayPass } from '../../db/fault.ts';
import { CommitUnknown } from '../../db/sql/transaction/commit-fate.ts';
import type { WorkflowMessage } from '../../db/transaction.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { type CommitCut, PostgresProxy } from '../support/postgres-proxy.ts';

let own: OwnDatabase;
let proxy: PostgresProxy;
let db: Database;
let dispatched: WorkflowMessage[];
let runs: number;
beforeAll(async () => {
  own = await ownDatabase();
  await own.db.query('create table kept (n int)');
  proxy = await PostgresProxy.open(own.databaseUrl);
  db = await connect({ databaseUrl: proxy.databaseUrl, databasePool: 3 });
});
beforeEach(async () => {
  await own.db.query('truncate table kept, outbox');
  dispatched = [];
  runs = 0;
  db.dispatcher = { relayAfterMs: () => 0, dispatch: (messages) => void dispatched.push(...messages) };
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await db.close();
  await proxy.close();
  await own.drop();
});

/** Writes a row and a message in a transaction whose connection breaks at its COMMIT. */
function writes(at: CommitCut, options: { staysAway?: boolean } = {}): Promise<string> {
  proxy.cutNextCommit(at, options);
  return db.transaction(async (tx) => {
    runs += 1;
    await tx.query('insert into kept values (1)');
    enqueue(tx, 'contract', 'Cont_1');
    return 'written';
  });
}

/** Stops the clock by which it is given up; what it gives back sets it to so many milliseconds later. */
function stopClock(): (later: number) => void {
  const stopped = Date.now();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(stopped);
  return (later) => void clock.mockReturnValue(stopped + later);
}

/** Postgres is asked so many times more what became of it, in vain. */
async function looksAgain(times = 2): Promise<void> {
  const before = proxy.refused;
  await eventually(() => expect(proxy.refused).toBeGreaterThanOrEqual(before + times));
}

const kept = async () => (await own.db.query('select n from kept')).length;

/** What a promise fails with. */
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (result) => Promise.reject(new Error(`it went well: ${result}`)),
    (error: unknown) => error,
  );

describe('a connection that is cut exactly at COMMIT', () => {
  it('whose COMMIT arrived: the transaction gives its result, written once, and its message is sent', async () => {
    expect(await writes('sent')).toBe('written');
    expect([proxy.hasCut, runs, await kept()]).toEqual([true, 1, 1]);
    expect(dispatched).toEqual([{ kind: 'contract', workflowId: 'Cont_1' }]);
  });

  it('whose COMMIT arrived, of a transaction that wrote entities alone and flushed none: it gives its result', async () => {
    proxy.cutNextCommit('sent');
    const id = `Wbc_${crypto.randomUUID()}`;
    const work = db.transaction(async (tx) => {
      tx.em.create(Vendor, { id, name: 'kept', created: 0, invoicing: DEFAULT_CONFIGURATION, paymentThreshold: {} });
      return 'written';
    });
    expect(await work).toBe('written');
    expect([proxy.hasCut, await own.db.em().count(Vendor, { id })]).toEqual([true, 1]);
  });

  it('whose COMMIT did not arrive: the transaction fails with an error that passes, and nothing is written or sent', async () => {
    const error = await failure(writes('unsent'));
    expect(error).not.toBeInstanceOf(CommitUnknown);
    expect(mayPass(error)).toBe(true);
    expect([proxy.hasCut, runs, await kept(), dispatched]).toEqual([true, 1, 0, []]);
  });

  it('while Postgres stays away for a while: what became of it is learned when it is back', async () => {
    stopClock();
    const work = writes('sent', { staysAway: true });
    await looksAgain(5);
    proxy.comesBack();
    expect(await work).toBe('written');
    expect([runs, await kept()]).toEqual([1, 1]);
  });

  it.each<{ at: CommitCut; written: number }>([
    { at: 'sent', written: 1 },
    { at: 'unsent', written: 0 },
  ])(
    '($at) while Postgres stays away for 5 s: nobody knows, the work is not done again, and $written rows are written',
    async ({ at, written }) => {
      const goesOn = stopClock();
      const failed = failure(writes(at, { staysAway: true }));
      await looksAgain();
      goesOn(4_999);
      await looksAgain();
      goesOn(5_000);
      const error = await failed;
      proxy.comesBack();
      expect(error).toBeInstanceOf(CommitUnknown);
      expect(error).toMatchObject({ code: 'outcome_unknown', retryAfter: 2 });
      expect([mayPass(error), runs, await kept(), dispatched]).toEqual([true, 1, written, []]);
    },
  );

  it('of a transaction that has only read: it fails with an error that passes, and nobody asks what became of it', async () => {
    const before = proxy.refused;
    proxy.cutNextCommit('sent', { staysAway: true });
    const error = await failure(db.transaction((tx) => tx.query('select n from kept')));
    expect(proxy.refused).toBe(before);
    proxy.comesBack();
    expect([mayPass(error), error instanceof CommitUnknown]).toEqual([true, false]);
  });

  it('leaves the pool as it was: 20 transactions after it are served', async () => {
    await writes('sent');
    await Promise.all(Array.from({ length: 20 }, () => db.transaction((tx) => tx.query('insert into kept values (2)'))));
    expect(await kept()).toBe(21);
  });
});
