import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createWorkers } from '../../worker/temporal-worker.ts';
import { eventually } from '../support/eventually.ts';
import { fairTimeOf } from '../support/fair-clock.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { type Started, startProgram } from '../support/program.ts';
import { servers } from '../support/servers.ts';
import { closedPort, type SilentServer, silentServer } from '../support/silent-server.ts';
import { endRuntime } from './own-worker.ts';

/** A try that fails is made again after 1, 2, 4, 8 and then 15 seconds. */
const FAILURES = 4;

afterAll(() => endRuntime());

describe('a worker that is asked to stop while it starts', () => {
  let own: OwnDatabase;
  let worker: Started;
  let temporal: SilentServer;
  beforeAll(async () => {
    own = await ownDatabase();
  });
  afterEach(async () => {
    worker.kill('SIGKILL');
    await worker.ended;
    await temporal.close();
  });
  afterAll(() => own.drop());

  async function starts(serve: () => Promise<SilentServer>): Promise<void> {
    temporal = await serve();
    worker = startProgram(['worker'], {
      env: {
        DATABASE_URL: own.databaseUrl,
        TEMPORAL_ADDRESS: temporal.address,
        PERENNIAL_MODE: 'embedded',
        PERENNIAL_SECRET: 'of-the-worker-that-starts-of-the-tests',
      },
    });
  }

  async function stopsInOrder(): Promise<void> {
    worker.kill('SIGTERM');
    expect(await fairTimeOf(() => worker.ended)).toBeLessThan(7_000);
    const { code, stdout, stderr } = await worker.ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('"the worker has stopped"');
    expect(stdout).not.toContain('"the worker takes work"');
  }

  it('and Temporal does not take its connections ends before its next try', async () => {
    await starts(closedPort);
    await eventually(() => expect(worker.said().stdout).toContain(`"failures":${FAILURES}`));
    await stopsInOrder();
    expect(worker.said().stdout).not.toContain(`"failures":${FAILURES + 1}`);
  });

  it('and Temporal takes its connection and says nothing waits for no answer', async () => {
    await starts(silentServer);
    await eventually(() => expect(temporal.taken()).toBeGreaterThan(0));
    await stopsInOrder();
  });
});

/** A way to a server that knows how many connections it carries. */
async function wayTo(address: string): Promise<{ address: string; open: Set<Socket>; taken(): number; close(): Promise<void> }> {
  const [host = '', port] = address.split(':');
  const open = new Set<Socket>();
  let taken = 0;
  const way = createServer((client) => {
    const server = connect(Number(port), host);
    taken += 1;
    open.add(client);
    for (const [one, other] of [[client, server] as const, [server, client] as const]) {
      one.on('error', () => undefined);
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
    client.on('close', () => open.delete(client));
  }).listen(0, '127.0.0.1');
  await once(way, 'listening');
  const close = async (): Promise<void> => {
    for (const one of open) one.destroy();
    way.close();
    await once(way, 'close');
  };
  return { address: `127.0.0.1:${(way.address() as AddressInfo).port}`, open, taken: () => taken, close };
}

it('workers of which one can not be made keep no connection to Temporal: those that were made give it back', async () => {
  const way = await wayTo((await servers()).temporalAddress);
  const config = {
    temporalAddress: way.address,
    temporalNamespace: 'default',
    temporalTaskQueue: `half-made-${process.pid}`,
    databasePool: 10,
  };
  const activities = { billLane: async () => null, deliverEvents: async () => null };
  // the one that delivers needs no bundle
  const parts = { activities, bundle: { codePath: '/dev/null/none.js' } } as unknown as Parameters<typeof createWorkers>[1];
  await expect(createWorkers(config as Parameters<typeof createWorkers>[0], parts)).rejects.toThrow('/dev/null/none.js');
  expect(way.taken()).toBeGreaterThan(0);
  // left to itself it goes after two minutes
  expect(await fairTimeOf(() => eventually(() => expect(way.open.size).toBe(0)))).toBeLessThan(30_000);
  await way.close();
});
