import { copyTemplate, idInCopy } from '../../bench/growth/copy.ts';
import { reportEvents } from '../../bench/growth/events.ts';
import { keepFigures } from '../../bench/growth/figures.ts';
import { beganBefore, makeCatalogue, makeCustomer, type Seeded } from '../../bench/growth/seed.ts';
import { MARK, readTemplate } from '../../bench/growth/template.ts';
import { checkLedger } from '../../db/sql/ledger/check.ts';
import { createVendor, type NewVendor } from '../../services/vendor-account/create.ts';
import { type Api, api } from '../support/api.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { type SecondApi, secondApi } from '../support/second-api.ts';

const MONTHS = 2;
const COPIES = 3;
const HOUR = 3_600_000;

let own: OwnDatabase;
let server: SecondApi;
let vendor: NewVendor & { api: Api };
let [first, second]: Seeded[] = [];
const copied = (id: string, copy = 1): string => idInCopy(id, copy);

beforeAll(async () => {
  own = await ownDatabase();
  // nobody works on this queue: the rows are those that the API itself writes
  server = await secondApi({ databaseUrl: own.databaseUrl }, { TEMPORAL_TASK_QUEUE: 'nobody' });
  const made = await createVendor(own.db, 'Grown');
  vendor = { ...made, api: api(made.apiKey, server.baseUrl) };
  const { plan } = await makeCatalogue(vendor.api);
  const age = { months: MONTHS, began: beganBefore(MONTHS) };
  first = await makeCustomer(vendor.api, plan, age);
  second = await makeCustomer(vendor.api, plan, age);
  const template = await readTemplate(own.db, first.customer, { messages: true });
  await copyTemplate(own.db, template, { vendorId: vendor.vendorId, first: 1, count: COPIES });
  await keepFigures(own.db, vendor.vendorId);
});
afterAll(async () => {
  await server.stop();
  await own.drop();
});

type Rows = Record<string, string[]>;

/**
 * All rows of a customer by table, column by column, with its own ids numbered in the order they were made, and without
 * what must differ: moments of writing, numbers of invoices, and what Postgres itself counts on.
 */
async function rowsOf(customer: string): Promise<Rows> {
  const { tables } = await readTemplate(own.db, customer, { messages: true });
  const ids = new Set(tables.flatMap(({ rows }) => rows.match(OWN_ID) ?? []));
  const inOrder = [...ids].sort((a, b) => (a.slice(a.indexOf('_')) < b.slice(b.indexOf('_')) ? -1 : 1));
  const places = new Map(inOrder.map((id, place) => [id, `${id.slice(0, id.indexOf('_'))} ${place}`]));
  const plain = (row: object): string =>
    JSON.stringify(row)
      .replaceAll(OWN_ID, (id) => places.get(id) ?? '')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, (instant) => (Date.now() - Date.parse(instant) < HOUR ? 'now' : instant))
      .replaceAll(/0000000001|fedcba9876/g, 'digits')
      .replaceAll(/"((?:printed_)?number|seen)"(:|,)"?\d+"?/g, '"$1"');
  return Object.fromEntries(
    tables.map(({ name, columns, rows }) => {
      const all = JSON.parse(rows) as Record<string, unknown>[];
      return [name, all.map((row) => plain(columns.map((column) => [column.name, row[column.name]]))).toSorted()];
    }),
  );
}
const OWN_ID = new RegExp(`\\b[A-Z]\\w*_[0-9a-f-]{26}${MARK}`, 'g');

const withoutLastDigits = (body: unknown): string =>
  JSON.stringify(body)
    .replace(/Customer [0-9a-f]{10}/, 'Customer')
    .replaceAll(/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{2})[0-9a-f]{10}/g, '$1');

describe('copies of what the API has written', () => {
  it('have every row and column that the API writes for another customer of the same kind', async () => {
    const [written, copy] = [await rowsOf(second?.customer ?? ''), await rowsOf(copied(first?.customer ?? ''))];
    expect(Object.keys(written).length).toBeGreaterThan(12);
    expect(copy).toEqual(written);
  });

  it('are read through the API as the customer they are copies of, each with names of its own', async () => {
    const { customer = '', contract = '' } = first ?? {};
    const read = async (id: string) => withoutLastDigits(await vendor.api.read(`/v1/c/contract/${id}`));
    expect(await read(copied(contract))).toEqual(await read(contract));
    const { hits } = await vendor.api.read('/v1/c/customer?customer_reference=reference-0000000002');
    expect(hits.map(({ id }: { id: string }) => id)).toEqual([copied(customer, 2)]);
  });

  it('take the numbers after the last invoice, without a gap, and the next signing goes on behind them', async () => {
    const { plan } = await makeCatalogue(vendor.api, '-later');
    await makeCustomer(vendor.api, plan, { months: 0, mark: 'later' });
    const rows = await own.db.query<{ number: string }>('select number::text from invoice i where vendor_id = $1 order by i.number', [
      vendor.vendorId,
    ]);
    const all = (COPIES + 2) * (MONTHS + 1) + 1;
    expect(rows.map(({ number }) => Number(number))).toEqual(Array.from({ length: all }, (_, n) => n + 1));
  });

  it('keep the books balanced', async () => expect(await checkLedger(own.db)).toEqual([]));
});

describe('events that are made', () => {
  const eventsOf = (contract: string) =>
    own.db.query('select * from usage_event where contract_id = $1 order by timestamp, seq', [contract]);

  it('are the rows of events that are reported through the API, and counted as those', async () => {
    const customers = [copied(first?.customer ?? '', 2)];
    const { vendorId, keyId } = vendor;
    const at = Date.now() - HOUR;
    await reportEvents(own.db, { vendorId, keyId, customers, slug: 'calls', count: 5_000, from: at, until: at + 5_000 });
    await vendor.api.made('/v1/c/usage', { customer_id: customers[0], feature_slug: 'calls', units: '1' });
    const events = await eventsOf(copied(first?.contract ?? '', 2));
    const shape = ({ id, seq, xid, timestamp, arrived_at, ...same }: Record<string, unknown>) => ({
      ...same,
      kinds: [id, seq, xid, timestamp, arrived_at].map((one) => (typeof one === 'string' ? one.replaceAll(/[0-9a-f]/g, '') : typeof one)),
    });
    expect(events).toHaveLength(5_002);
    expect(shape(events[1] as never)).toEqual(shape(events.at(-1) as never));
    const access = await vendor.api.read(`/v1/c/entitlement/${customers[0]}/access`);
    expect(JSON.stringify(access)).toContain('5002');
  });
});
