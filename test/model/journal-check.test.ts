import { connect, type Database } from '../../db/connect.ts';
import { servers } from '../support/servers.ts';
import { newVendor } from '../support/vendor.ts';
import { journalWrong } from './journal-check.ts';
import { advanceTo } from './time-acts.ts';
import { iso, look, newWorld, tried, type World } from './world.ts';

const DAY = 86_400_000;

let db: Database;
beforeAll(async () => {
  db = await connect({ databaseUrl: (await servers()).databaseUrl, databasePool: 2 });
});
afterAll(() => db.close());

const wrong = ({ vendor, journal }: World): Promise<string[]> => journalWrong(db, vendor.vendorId, journal);

/** A month of `pro` with 20 calls for 0.40, closed and invoiced. */
async function closedMonth(): Promise<{ world: World; event: string; line: { invoice: string; item: string } }> {
  const world = await newWorld(await newVendor(), { customers: 1, clock: '2025-03-01T00:00:00.000Z' });
  const [customer = ''] = world.customers;
  const plan = world.plans.find(({ slug }) => slug === 'pro')?.id;
  await tried(world, '/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
  const at = world.now() + 60_000;
  const report = { customer_id: customer, feature_slug: 'calls', units: '20', timestamp: iso(at) };
  const event = (await tried<string>(world, '/v1/c/usage', report)) ?? '';
  world.journal.reported({ id: event, customer, slug: 'calls', units: 20, at, absolute: false });
  await advanceTo(world, world.now() + 32 * DAY);
  const { hits } = await look(world, `/v1/c/invoice?customer=${customer}&limit=20`);
  const lines = hits.flatMap(({ invoice, invoice_items }: { invoice: { id: string }; invoice_items: { id: string; name: string }[] }) =>
    invoice_items.filter(({ name }) => name === 'calls').map(({ id }) => ({ invoice: invoice.id, item: id })),
  );
  expect(lines).toHaveLength(1);
  return { world, event, line: lines[0] };
}

async function discard(world: World, id: string): Promise<void> {
  await tried(world, `/v1/c/usage/${id}/discard`);
  expect(world.lastAnswer?.status).toBeLessThan(300);
  const event = world.journal.events.get(id);
  if (event !== undefined) event.discarded = true;
  await advanceTo(world, world.now() + 32 * DAY);
}

async function credit(world: World, { invoice, item }: { invoice: string; item: string }, amount?: string): Promise<void> {
  await tried(world, `/v1/c/invoice/${invoice}/credit_note`, {
    items: [{ invoice_item_id: item, ...(amount ? { amount } : {}) }],
    to: 'wallet',
  });
  expect(world.lastAnswer?.status).toBeLessThan(300);
}

describe('what was answered, compared with the rows', () => {
  it('usage that a credit note gave back is not given back again where its event is discarded', async () => {
    const { world, event, line } = await closedMonth();
    expect(await wrong(world)).toEqual([]);
    await credit(world, line);
    expect(await wrong(world)).toEqual([]);
    await discard(world, event);
    expect(await wrong(world)).toEqual([]);
  });

  it('a credit note for a part leaves the rest to be given back', async () => {
    const { world, event, line } = await closedMonth();
    await credit(world, line, '0.12');
    await discard(world, event);
    expect(await wrong(world)).toEqual([]);
    world.journal.events.clear();
    expect(await wrong(world)).toEqual([`the event ${event} was never accepted`]);
  });
});
