import { OwnersGroups } from '../../db/groups.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { BatchWork } from '../../worker/batch-work.ts';
import { eventually } from '../support/eventually.ts';
import { type OutboxKit, outboxKit } from './outbox-kit.ts';

let kit: OutboxKit;
beforeAll(async () => {
  kit = await outboxKit();
});
beforeEach(() => kit.clear());
afterEach(() => jest.restoreAllMocks());
afterAll(() => kit.drop());

interface Crowd {
  /** Lets the transactions end that have a connection, and then those that wait for one. */
  goes(): Promise<void>;
}

/** As many transactions as have a place, of which the first tells a workflow at its end, and one that waits. */
async function crowd(): Promise<Crowd> {
  const [begins, ends] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = kit.db.transaction(async (tx) => {
    await begins.promise;
    enqueue(tx, 'contract', 'Cont_last');
    enqueue(tx, 'payment', 'Pay_last');
  });
  const others: Promise<void>[] = [];
  while (!kit.db.isCrowded()) others.push(kit.db.transaction(() => ends.promise));
  return {
    goes: async () => {
      begins.resolve();
      await first;
      ends.resolve();
      await Promise.all(others);
    },
  };
}

async function committed(): Promise<void> {
  await kit.db.transaction(async (tx) => {
    enqueue(tx, 'contract', 'Cont_1');
    enqueue(tx, 'payment', 'Pay_1');
  });
}

const CHAIN = { kind: 'contract', workflowId: 'Cont_1' };
const PAYMENT = { kind: 'payment', workflowId: 'payment:Pay_1' };

it('while callers wait for a connection a payment is sent, and the wake-up of a chain only when they are gone', async () => {
  await committed();
  const callers = await crowd();
  const process = kit.dispatcher({ isCrowded: kit.db.isCrowded });
  process.dispatch([CHAIN]);
  process.dispatch([PAYMENT]);
  await eventually(() => expect(kit.temporal.taken).toEqual(['payment:Pay_1']));
  await callers.goes();
  await process.idle();
  expect(kit.temporal.taken).toEqual(['payment:Pay_1', 'Cont_1']);
});

it('a chain waits for callers for 20 s at most', async () => {
  await committed();
  const callers = await crowd();
  const process = kit.dispatcher({ isCrowded: kit.db.isCrowded });
  process.dispatch([CHAIN]);
  const began = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => began + 20_000);
  await process.idle();
  expect([kit.db.isCrowded(), kit.temporal.taken]).toEqual([true, ['Cont_1']]);
  await callers.goes();
});

it('so it does while three callers at once ask for transactions that they share, and not while two do', async () => {
  await committed();
  const { promise, resolve } = Promise.withResolvers<void>();
  const groups = new OwnersGroups<number, number>(async (items) => promise.then(() => items), { atOnce: 2, most: 100 });
  kit.db.crowds.push(groups);
  const [process, isCrowded] = [kit.dispatcher({ isCrowded: kit.db.isCrowded }), kit.db.isCrowded];
  const callers = [groups.one('a', 1), groups.one('b', 2)];
  expect(isCrowded()).toBe(false);
  callers.push(groups.one('a', 3));
  expect(isCrowded()).toBe(true);
  process.dispatch([CHAIN]);
  process.dispatch([PAYMENT]);
  await eventually(() => expect(kit.temporal.taken).toEqual(['payment:Pay_1']));
  resolve();
  expect(await Promise.all(callers)).toEqual([1, 2, 3]);
  await process.idle();
  expect(kit.temporal.taken).toEqual(['payment:Pay_1', 'Cont_1']);
});

it('two batches of which one begins within a second of the other wake a chain once, a second after the second; a payment at once', async () => {
  const batches = new BatchWork();
  const process = kit.dispatcher({ isCrowded: () => batches.isUnderWay });
  kit.db.dispatcher = process;
  const first = batches.counted(committed);
  const ends = Promise.withResolvers<void>();
  const second = batches.counted(async () => {
    await ends.promise;
    await committed();
  });
  await first(undefined);
  const running = second(undefined);
  await eventually(() => expect(kit.temporal.taken).toEqual(['payment:Pay_1']));
  expect(await left()).toEqual(['Cont_1']);
  ends.resolve();
  await running;
  const ended = Date.now();
  expect(batches.isUnderWay).toBe(true);
  jest.spyOn(Date, 'now').mockImplementation(() => ended + 1_000);
  expect(batches.isUnderWay).toBe(false);
  await process.idle();
  expect(kit.temporal.taken.filter((id) => id === 'Cont_1')).toEqual(['Cont_1']);
  expect((await kit.counts()).Cont_1).toBe('2 of 2');
});

/** Those that the relay leaves to their process for longer than 20 s. */
async function left(): Promise<string[]> {
  const rows = await kit.db.query<{ id: string }>(
    `select workflow_id as id from outbox where next_try > clock_timestamp() + interval '20 seconds' order by workflow_id`,
  );
  return rows.map(({ id }) => id);
}

it('what can wait and is committed while callers do is left to its process by the relay for longer than that; payments, and all in calm times, not at all', async () => {
  const isCrowded = kit.db.isCrowded;
  kit.db.dispatcher = kit.dispatcher({ isCrowded });
  jest.spyOn(kit.db.dispatcher, 'dispatch').mockImplementation(() => undefined);
  const callers = await crowd();
  await callers.goes();
  await committed();
  expect(Object.keys(await kit.counts())).toEqual(['Cont_1', 'Cont_last', 'payment:Pay_1', 'payment:Pay_last']);
  expect(await left()).toEqual(['Cont_last']);
});

it('a process that pauses since Temporal did not answer leaves all it commits to the relay at once, however many callers wait', async () => {
  const process = kit.dispatcher({ isCrowded: () => true });
  kit.db.dispatcher = process;
  kit.temporal.isAway();
  await kit.db.transaction(async (tx) => enqueue(tx, 'payment', 'Pay_1'));
  await eventually(async () => expect((await kit.rows())[0]?.tries).toBe(1));
  // it begins to pause when it has written that
  await process.idle();
  await kit.db.transaction(async (tx) => enqueue(tx, 'contract', 'Cont_2'));
  expect(await kit.counts()).toEqual({ Cont_2: '0 of 1', 'payment:Pay_1': '0 of 1' });
  expect(await left()).toEqual([]);
});
