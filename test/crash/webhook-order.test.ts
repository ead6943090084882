import { connect, type Database } from '../../db/connect.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { eventCount } from '../support/runs.ts';
import type { TestVendor } from '../support/vendor.ts';
import { Receiver, sequencesOf } from '../webhooks/receiver.ts';

/** A multiple of 1,000. */
const EVENTS = eventCount(1_000);
const EACH = 20;
const OBJECTS = EVENTS / EACH;

let stack: OwnStack;
let vendor: TestVendor;
let db: Database;
const receiver = new Receiver();
let objects: string[];
beforeAll(async () => {
  // starting a killed worker again takes longer than the schedule of the other tests lasts
  process.env.WEBHOOK_GIVE_UP_AFTER = '10m';
  stack = await ownStack();
  vendor = await stack.newVendor();
  db = await connect({ databaseUrl: stack.servers.databaseUrl, databasePool: 2 });
  await receiver.start();
  const names = Array.from({ length: OBJECTS }, (_, n) => `Customer ${n}`);
  objects = [];
  for (const name of names) objects.push(await vendor.api.made<string>('/v1/c/customer', { name }));
});
afterAll(async () => {
  await receiver.kill();
  await db?.close();
  await stack?.stop();
});

/** Each object gets its next event, round by round; a transaction writes those of up to 50 objects. */
async function publishAll(): Promise<void> {
  const event = (objectId: string) => ({
    vendorId: vendor.vendorId,
    type: 'v1.customer.updated' as const,
    objectId,
    at: Date.now(),
    data: {},
  });
  for (let round = 0; round < EACH; round += 1) {
    for (let from = 0; from < OBJECTS; from += 50) await db.transaction((tx) => publish(tx, objects.slice(from, from + 50).map(event)));
  }
}

const refusedConnection = async (id: string): Promise<void> => {
  const { hits } = await vendor.api.read(`/v1/c/webhook_endpoint/${id}/delivery?status=failed&direction=backward`);
  expect(hits).toContainEqual(expect.objectContaining({ error: 'the connection was refused' }));
};

describe(`${EVENTS} events of ${OBJECTS} objects`, () => {
  it('arrive in the order of each object, none missing, although one try in ten fails, the receiver dies twice and the worker once', async () => {
    receiver.behave = () => (receiver.received.length % 10 === 0 ? 500 : 204);
    const { id } = await vendor.api.made<{ id: string }>('/v1/c/webhook_endpoint', { url: receiver.url, types: ['v1.customer.updated'] });
    const published = publishAll();
    const reaches = (share: number) =>
      eventually(() => expect(receiver.taken.length).toBeGreaterThan(EVENTS * share), { timeout: 300_000, every: 5 });
    for (const share of [0.1, 0.3]) {
      await reaches(share);
      await receiver.kill();
      await eventually(() => refusedConnection(id));
      await receiver.start();
    }
    await reaches(0.5);
    await stack.kill9('worker');
    await published;
    expect(new Set(receiver.taken.map(({ body }) => body.id)).size).toBeLessThan(EVENTS);
    await stack.restart('worker');
    const all = new Map(objects.map((object) => [object, Array.from({ length: EACH }, (_, n) => n + 2)]));
    await eventually(() => expect(sequencesOf(receiver.taken)).toEqual(all), { timeout: 900_000, every: 500 });
    // each try of an event sends the same
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(EVENTS);
    await eventually(async () => {
      const { hits } = await vendor.api.read('/v1/c/event?direction=backward&limit=1');
      expect((await vendor.api.read(`/v1/c/webhook_endpoint/${id}`)).cursor).toBe(hits[0].id);
    });
  }, 1_800_000);
});
