import { sqlState, violatedConstraint } from '../../db/sql-state.ts';
import { together } from '../../db/together.ts';
import type { Tx, WorkflowMessage } from '../../db/transaction.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';

let own: OwnDatabase;
let dispatched: WorkflowMessage[];
beforeAll(async () => {
  own = await ownDatabase();
  await own.db.query('create table kept (n int primary key)');
});
beforeEach(async () => {
  await own.db.query('truncate table kept, outbox');
  dispatched = [];
  own.db.dispatcher = { relayAfterMs: () => 0, dispatch: (messages) => void dispatched.push(...messages) };
});
afterAll(() => own.drop());

const keep = async (tx: Tx, n: number): Promise<void> => void (await tx.query('insert into kept values ($1)', [n]));
const kept = async () => (await own.db.query<{ n: number }>('select n from kept order by n')).map(({ n }) => n);
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('statements sent together', () => {
  it('see what those before them have written, and give their results in order', async () => {
    const count = (tx: Tx) => tx.query<{ n: number }>('select count(*)::int as n from kept');
    const results = await own.db.transaction((tx) => together(tx, [() => count(tx), () => keep(tx, 1), () => count(tx)]));
    expect(results).toEqual([[{ n: 0 }], undefined, [{ n: 1 }]]);
  });

  it('fail with the first refusal, and a part that would go on ends before the rollback: nothing of it is written', async () => {
    const twoSteps = async (tx: Tx): Promise<void> => {
      await keep(tx, 1);
      await keep(tx, 2);
      await keep(tx, 3);
    };
    const work = own.db.transaction((tx) => together(tx, [() => twoSteps(tx), () => keep(tx, 1), () => twoSteps(tx)]));
    expect(violatedConstraint(await failure(work))).toBe('kept_pkey');
    expect(await kept()).toEqual([]);
  });

  it('fail with the cause, though the part behind it learns earlier that the transaction is aborted', async () => {
    const behind = Promise.withResolvers<void>();
    const lateWithItsFailure = (tx: Tx): Promise<unknown> =>
      tx.query('select 1 / 0').catch(async (error) => {
        await behind.promise;
        throw error;
      });
    const work = own.db.transaction((tx) => together(tx, [() => lateWithItsFailure(tx), () => keep(tx, 1).finally(behind.resolve)]));
    expect(sqlState(await failure(work))).toBe('22012');
  });
});

describe('what is kept for last', () => {
  it('is written after everything else, and right before messages', async () => {
    await own.db.transaction(async (tx) => {
      tx.last.push(
        async () =>
          void (await tx.query('insert into kept select 10 * (select count(*)::int from kept) + (select count(*)::int from outbox)')),
      );
      enqueue(tx, 'contract', 'Cont_1');
      await keep(tx, 1);
    });
    expect(await kept()).toEqual([1, 10]);
  });

  it('and is refused: the transaction fails, although its COMMIT reports no error; nothing is written and nothing is sent', async () => {
    const work = own.db.transaction(async (tx) => {
      await keep(tx, 1);
      enqueue(tx, 'contract', 'Cont_1');
      tx.last.push(() => keep(tx, 1));
    });
    expect(violatedConstraint(await failure(work))).toBe('kept_pkey');
    expect([await kept(), dispatched, await own.db.query('select from outbox')]).toEqual([[], [], []]);
  });

  it('and is refused: work with a careful way is run once more, that way', async () => {
    const runs: boolean[] = [];
    const work = async (tx: Tx): Promise<string> => {
      tx.tries.hasCarefulWay = true;
      runs.push(tx.tries.isCareful);
      await keep(tx, 1);
      tx.last.push(() => keep(tx, tx.tries.isCareful ? 2 : 1));
      return 'done';
    };
    expect(await own.db.transaction(work)).toBe('done');
    expect([runs, await kept()]).toEqual([
      [false, true],
      [1, 2],
    ]);
  });
});
