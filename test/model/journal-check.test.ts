import { connect, type Database } from '../../db/connect.ts';
import type { AnyJson } from '../support/api.ts';
import { servers } from '../support/servers.ts';
import { newVendor } from '../support/vendor.ts';
import { journalWrong } from './journal-check.ts';
import { advanceTo } from './time-acts.ts';
import { iso, look, newWorld, tried, type World } from './world.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let db: Database;
beforeAll(async () => {
  db = await connect({ databaseUrl: (await servers()).databaseUrl, databasePool: 2 });
});
afterAll(() => db.close());

const wrong = ({ vendor, journal }: World): Promise<string[]> => journalWrong(db, vendor.vendorId, journal);

interface InvoicedLine {
  invoice: string;
  item: string;
}

/** A world whose one customer has a contract for `pro`. */
async function signed(terms: AnyJson = {}): Promise<{ world: World; contract: string }> {
  const world = await newWorld(await newVendor(), { customers: 1, clock: '2025-03-01T00:00:00.000Z' });
  const plan = world.plans.find(({ slug }) => slug === 'pro')?.id;
  const contract = await tried<string>(world, '/v1/c/contract', {
    customer: world.customers[0],
    plan,
    currency: 'usd',
    cycle: 'month',
    ...terms,
  });
  expect(world.lastAnswer?.status).toBe(201);
  return { world, contract: contract ?? '' };
}

/** A minute from now, since the contract begins now. */
async function uses(world: World, units: number): Promise<string> {
  const [customer = ''] = world.customers;
  const at = world.now() + 60_000;
  const report = { customer_id: customer, feature_slug: 'calls', units: String(units), timestamp: iso(at) };
  const event = (await tried<string>(world, '/v1/c/usage', report)) ?? '';
  world.journal.reported({ id: event, customer, slug: 'calls', units, at, absolute: false });
  return event;
}

async function linesOfCalls(world: World): Promise<InvoicedLine[]> {
  const { hits } = await look(world, `/v1/c/invoice?customer=${world.customers[0]}&limit=20`);
  return hits.flatMap(({ invoice, invoice_items }: { invoice: { id: string }; invoice_items: { id: string; name: string }[] }) =>
    invoice_items.filter(({ name }) => name === 'calls').map(({ id }) => ({ invoice: invoice.id, item: id })),
  );
}

/** A month with 20 calls for 0.40, closed and invoiced. */
async function closedMonth(): Promise<{ world: World; event: string; line: InvoicedLine }> {
  const { world } = await signed();
  const event = await uses(world, 20);
  await advanceTo(world, world.now() + 32 * DAY);
  const [line, ...others] = await linesOfCalls(world);
  if (line === undefined) throw new Error('no calls were invoiced');
  expect(others).toEqual([]);
  return { world, event, line };
}

async function discard(world: World, id: string): Promise<void> {
  await tried(world, `/v1/c/usage/${id}/discard`);
  expect(world.lastAnswer?.status).toBeLessThan(300);
  const event = world.journal.events.get(id);
  if (event !== undefined) event.discarded = true;
  await advanceTo(world, world.now() + 32 * DAY);
}

async function credit(world: World, { invoice, item }: InvoicedLine, amount?: string): Promise<void> {
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

  it('a part that a threshold charged, of a period that goes on in another contract, is no usage charged too early', async () => {
    const { world, contract } = await signed({ invoice_threshold: '0.40', usage_period_closing_policy: '1 day' });
    await uses(world, 25);
    await advanceTo(world, world.now() + HOUR);
    expect(await linesOfCalls(world)).toHaveLength(1);
    const upgrade_configuration = { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '3' } };
    await tried(world, `/v1/c/contract/${contract}/upgrade`, { upgrade_configuration });
    expect(world.lastAnswer?.status).toBe(200);
    await uses(world, 13);
    await advanceTo(world, Date.parse('2025-04-01T12:00:00.000Z'));
    expect(await linesOfCalls(world)).toHaveLength(1);
    expect(await wrong(world)).toEqual([]);
    await advanceTo(world, Date.parse('2025-04-03T00:00:00.000Z'));
    expect(await linesOfCalls(world)).toHaveLength(2);
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
