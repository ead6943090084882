import type { Database } from '../../db/connect.ts';
import type { TransactionOptions } from '../../db/transaction.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { fairTimeOf } from '../support/fair-clock.ts';
import { closedPort, silentServer } from '../support/silent-server.ts';
import { temporalAt } from '../support/temporal.ts';
import { type OutboxKit, outboxKit } from './outbox-kit.ts';

let kit: OutboxKit;
beforeAll(async () => {
  kit = await outboxKit();
});
beforeEach(() => kit.clear());
afterAll(() => kit.drop());

describe('a message that Temporal refuses', () => {
  it('waits for its next try with the failure noted, and the others are sent', async () => {
    kit.temporal.refuses('Cont_bad');
    const process = kit.sending();
    const began = await kit.time();
    await kit.wants('Cont_bad', 'Cont_1', 'Cont_2');
    await process.idle();
    expect(kit.temporal.taken.sort()).toEqual(['Cont_1', 'Cont_2']);
    expect(await kit.rows()).toContainEqual({
      id: 'Cont_bad',
      wanted: '1',
      sent: '0',
      tries: 1,
      failure: expect.stringContaining('WorkflowId is not valid'),
    });
    const [row] = await kit.db.query<{ next: number }>(`select next_try as next from outbox where workflow_id = 'Cont_bad'`);
    // a second behind the try
    expect(row?.next).toBeGreaterThanOrEqual(began + 1_000);
    expect(row?.next).toBeLessThanOrEqual((await kit.time()) + 1_000);
  });

  it('is tried again after its pause and not before, and at once when it is wanted again', async () => {
    kit.temporal.refuses('Cont_bad');
    const relay = kit.dispatcher();
    await kit.wants('Cont_bad');
    await relay.sendDue();
    await kit.db.query(`update outbox set next_try = clock_timestamp() + interval '5 minutes', tries = 9`);
    await relay.sendDue();
    expect(kit.temporal.asked).toEqual(['Cont_bad']);
    kit.temporal.takesAll();
    await kit.wants('Cont_bad');
    await relay.sendDue();
    expect(await kit.rows()).toEqual([{ id: 'Cont_bad', wanted: '2', sent: '2', tries: 0, failure: null }]);
  });
});

describe('a Temporal that does not answer', () => {
  it('makes the dispatcher pause: what is committed meanwhile is left to the relay, which sends it when Temporal is back', async () => {
    const process = kit.sending();
    kit.temporal.isAway();
    await kit.wants('Cont_1');
    await process.idle();
    await kit.wants('Cont_2');
    await process.idle();
    expect(kit.temporal.asked).toEqual(['Cont_1']);
    kit.temporal.takesAll();
    await kit.dispatcher().sendDue();
    expect(kit.temporal.taken).toEqual(['Cont_2']);
    await kit.db.query('update outbox set next_try = clock_timestamp() where sent < wanted');
    await kit.dispatcher().sendDue();
    expect(kit.temporal.taken).toEqual(['Cont_2', 'Cont_1']);
  });

  it.each([
    ['takes no connection', closedPort],
    ['takes connections and says nothing', silentServer],
  ])('but %s is given up while the lease of 15 s lasts, and the message waits with its failure', async (_how, serve) => {
    const server = await serve();
    const { client, close } = temporalAt(server.address);
    const [committed, { connection }] = [Promise.withResolvers<void>(), client];
    const withDeadline = connection.withDeadline.bind(connection);
    const leaseLeft: number[] = [];
    // nothing is sent before the transaction has answered: it doesn't wait for that
    const sending = jest.spyOn(connection, 'withDeadline').mockImplementation(async (until, work) => {
      await committed.promise;
      const [row] = await kit.db.query<{ leased: number }>('select leased_until as leased from outbox');
      leaseLeft.push((row?.leased ?? 0) - Number(until));
      return withDeadline(until, work);
    });
    const process = kit.sending(client);
    try {
      await kit.wants('Cont_1');
      committed.resolve();
      expect(await fairTimeOf(() => process.idle())).toBeLessThan(14_000);
      expect(leaseLeft.map((ms) => ms > 1_000)).toEqual([true]);
      expect(await kit.rows()).toMatchObject([{ sent: '0', tries: 1, failure: expect.stringMatching(/\w/) }]);
      // it pauses
      await kit.wants('Cont_2');
      await process.idle();
      expect(await kit.counts()).toEqual({ Cont_1: '0 of 1', Cont_2: '0 of 1' });
      expect(await kit.rows()).toContainEqual(expect.objectContaining({ id: 'Cont_2', tries: 0 }));
    } finally {
      sending.mockRestore();
      await close();
      await server.close();
    }
  });
});

describe('dispatching', () => {
  const committed = (options: TransactionOptions = {}) =>
    kit.db.transaction(async (tx) => {
      enqueue(tx, 'contract', 'Cont_1');
      return 'done';
    }, options);

  it('never fails the transaction it follows, nor anybody else, when Postgres is away by then', async () => {
    const query: Database['query'] = () => Promise.reject(new Error('connect ECONNREFUSED'));
    const process = kit.dispatcher({ from: { ...kit.db, query, preparing: { query } } });
    kit.db.dispatcher = process;
    expect(await committed()).toBe('done');
    await expect(process.idle()).resolves.toBeUndefined();
    expect(await kit.counts()).toEqual({ Cont_1: '0 of 1' });
  });

  it('holds no connection while Temporal takes its time: five dispatchers wait, and all connections of their pool are free', async () => {
    const held = ['Cont_1', 'Cont_2', 'Cont_3', 'Cont_4', 'Cont_5'].map((id) => ({ id, answer: kit.temporal.holds(id) }));
    const processes = held.map(() => kit.dispatcher());
    for (const [at, { id }] of held.entries()) {
      kit.db.dispatcher = processes[at] ?? null;
      await kit.wants(id);
      await kit.temporal.isAsked(id);
    }
    const { totalCount, idleCount } = kit.db.pool;
    expect([totalCount > 0, totalCount - idleCount]).toEqual([true, 0]);
    for (const { answer } of held) answer();
    await Promise.all(processes.map((process) => process.idle()));
    expect(kit.temporal.taken).toHaveLength(5);
  });

  it('is left to the caller where it says so: the messages of several transactions go together', async () => {
    const process = kit.sending();
    await committed({ dispatch: 'later' });
    await process.idle();
    expect(kit.temporal.asked).toEqual([]);
    process.dispatch([{ kind: 'contract', workflowId: 'Cont_1' }]);
    await process.idle();
    expect(kit.temporal.taken).toEqual(['Cont_1']);
  });
});
