import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Database } from '../../db/connect.ts';
import type { TransactionOptions } from '../../db/transaction.ts';
import { anyFreePort } from '../../local-stack/ports.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
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
    const [row] = await kit.db.query<{ seconds: number }>(
      `select extract(epoch from next_try - clock_timestamp())::float as seconds from outbox where workflow_id = 'Cont_bad'`,
    );
    expect(row?.seconds).toBeGreaterThan(0);
    expect(row?.seconds).toBeLessThanOrEqual(1);
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
    ['takes no connection', null],
    ['takes connections and says nothing', silentServer],
  ])('but %s is given up while the lease of 15 s lasts, and the message waits with its failure', async (_how, serve) => {
    const server = await (serve ?? closedPort)();
    const { client, close } = temporalAt(server.address);
    const process = kit.sending(client);
    try {
      const began = Date.now();
      await kit.wants('Cont_1');
      expect(Date.now() - began).toBeLessThan(1_000);
      await process.idle();
      expect(Date.now() - began).toBeLessThan(14_000);
      expect(await kit.rows()).toMatchObject([{ sent: '0', tries: 1, failure: expect.stringMatching(/\w/) }]);
      // it pauses
      await kit.wants('Cont_2');
      await process.idle();
      expect(await kit.counts()).toEqual({ Cont_1: '0 of 1', Cont_2: '0 of 1' });
      expect(await kit.rows()).toContainEqual(expect.objectContaining({ id: 'Cont_2', tries: 0 }));
    } finally {
      await close();
      await server.close();
    }
  });
});

interface Silent {
  address: string;
  close(): Promise<void>;
}

async function silentServer(): Promise<Silent> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

const closedPort = async (): Promise<Silent> => ({ address: `127.0.0.1:${await anyFreePort()}`, close: async () => {} });

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
