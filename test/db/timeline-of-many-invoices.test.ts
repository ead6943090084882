import { HOUR, type Instant } from '../../billing/calendar/instant.ts';
import { type ContractTimeline, readTimeline } from '../../db/sql/contract/timeline.ts';
import { type PublishedEvent, publish } from '../../db/sql/event/publish.ts';
import { signContract } from '../../services/contract/sign.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { savePlan } from '../../services/plan/save.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { countingReads } from '../support/rows-read.ts';
import { flatPlan, signInput } from '../workflows/inputs.ts';

const HOURS = 3_000;
const PAGE = 20;
/** Of all of them together it would be tens of thousands: each hour has eight rows. */
const FEW = 40 * PAGE;
const TABLES = ['event', 'invoice', 'usage_period', 'contract_history', 'credit_grant', 'customer_pause'];

/** The hours before it was signed: each with its period, its invoice, its credits, and a try to pay that is due. */
const LIVED = [
  `insert into usage_period
   select (jsonb_populate_record(p, jsonb_build_object('idx', $2::int + 1 - n, 'status', 'closed', 'closed_at', p.usage_from - (n - 1) * interval '1 hour',
     'start_at', p.start_at - n * interval '1 hour', 'end_at', p.start_at - (n - 1) * interval '1 hour',
     'usage_from', p.usage_from - n * interval '1 hour', 'usage_until', p.usage_from - (n - 1) * interval '1 hour'))).*
   from usage_period p, generate_series(1, $2::int) n where p.contract_id = $1 and p.idx = $2::int + 1`,
  `insert into invoice
   select (jsonb_populate_record(i, jsonb_build_object('id', i.id || '_' || n, 'number', 1 + n, 'printed_number', (1 + n)::text,
     'date', i.date - n * interval '1 hour'))).*
   from invoice i, generate_series(1, $2::int) n where i.contract_id = $1`,
  `insert into credit_grant (id, vendor_id, customer_id, currency, kind, amount, balance, priority, effective_at, contract_id, created)
   select 'Grant_' || n, vendor_id, customer_id, currency, 'promotional', 5, 5, 50, began, id, began from contract, generate_series(1, $2::int) n where id = $1`,
  `insert into contract_history (contract_id, at, kind, detail)
   select id, began - n * interval '1 hour', 'parked', '{}' from contract, generate_series(1, $2::int) n where id = $1`,
  `insert into agenda (vendor_id, customer_id, workflow_id, kind, subject, due_at, detail)
   select vendor_id, customer_id, id, 'payment_retry', 'retry_' || n, began + n * interval '1 hour',
     jsonb_build_object('contract_id', case when n % 2 = 0 then id else 'Cont_another' end)
   from contract, generate_series(1, 2 * $2::int) n where id = $1`,
];

let own: OwnDatabase;
let vendorId: string;
let contractId: string;
let began: Instant;

/** What the log says of an hour of a contract whose invoice is paid an hour late, by the third try. */
function eventsOf(n: number, invoiceId: string, customerId: string): PublishedEvent[] {
  const at = began - n * HOUR;
  const paid = { vendorId, objectId: `${invoiceId}_${n}`, contractId, at: at + HOUR, data: {} };
  const contract = { vendorId, objectId: contractId, at, data: { idx: HOURS + 1 - n } };
  const credits = { vendorId, objectId: `Grant_${n}`, contractId, at, data: {} };
  const freeze = n % 100 === 0 ? [{ vendorId, type: 'v1.customer.activated' as const, objectId: customerId, at, data: {} }] : [];
  return [
    { ...contract, type: 'v1.usage_period.closed' },
    { ...contract, type: 'v1.contract.renewed' },
    { vendorId, type: 'v1.invoice.created', objectId: `${invoiceId}_${n}`, at, data: {} },
    { ...credits, type: 'v1.credit.granted' },
    { vendorId, type: 'v1.customer.updated', objectId: customerId, at, data: {} },
    ...freeze,
    { ...paid, type: 'v1.payment.failed' },
    { ...paid, type: 'v1.payment.succeeded' },
    { ...paid, type: 'v1.invoice.paid' },
  ];
}

beforeAll(async () => {
  own = await ownDatabase();
  const { db } = own;
  ({ vendorId } = await createVendor(db, 'Of many invoices'));
  const customer = { ...blankCustomer(vendorId, null, Date.now()), name: 'Acme', status: 'active' as const };
  const plan = flatPlan('0.25');
  contractId = await db.transaction(async (tx) => {
    await savePlan(tx, vendorId, plan, Date.now());
    await insertCustomer(tx, customer, Date.now());
    return signContract(tx, signInput(vendorId, customer.id, plan.id));
  });
  const [invoice] = await db.query<{ id: string; began: Instant }>(
    'select i.id, c.began from invoice i join contract c on c.id = i.contract_id where c.id = $1',
    [contractId],
  );
  began = invoice?.began ?? 0;
  await db.query('update usage_period set idx = $2 where contract_id = $1', [contractId, HOURS + 1]);
  for (const rows of LIVED) await db.query(rows, [contractId, HOURS]);
  await db.query(`insert into customer_pause (customer_id, began, ended) values ($1, '2000-01-01', '2000-01-02')`, [customer.id]);
  const hours = Array.from({ length: HOURS }, (_, n) => HOURS - n);
  for (let from = 0; from < HOURS; from += 500) {
    const events = hours.slice(from, from + 500).flatMap((n) => eventsOf(n, invoice?.id ?? '', customer.id));
    await db.transaction((tx) => publish(tx, events));
  }
  await db.query("update contract set created = began - $2 * interval '1 hour' where id = $1", [contractId, HOURS + 1]);
  await db.query(`vacuum analyze agenda, ${TABLES.join(', ')}`);
}, 120_000);
afterAll(() => own?.drop());

const entries = ({ past }: ContractTimeline) => past.map(({ at, kind, object }) => `${at} ${kind} ${object}`);

it(`a page of the timeline of a contract with ${HOURS} invoices is read from few rows, whatever stands before and behind it`, async () => {
  const counting = countingReads(own.db, TABLES);
  for (const hours of [0, 10, HOURS / 2, HOURS - 4]) {
    counting.read = 0;
    const page = await readTimeline(counting, vendorId, contractId, { before: hours === 0 ? null : began - hours * HOUR + 1, most: PAGE });
    expect(page?.past.length).toBeGreaterThanOrEqual(PAGE);
    expect(page?.earlier).toBe(page?.past[0]?.at);
    expect(counting.read).toBeLessThanOrEqual(FEW);
  }
});

it(`of what is due of ${HOURS} unpaid invoices the first thousand are read and given`, async () => {
  const counting = countingReads(own.db, ['agenda']);
  const timeline = await readTimeline(counting, vendorId, contractId, { before: null, most: PAGE });
  const [first, ...others] = timeline?.next.filter(({ kind }) => kind === 'payment_retry') ?? [];
  expect(others).toHaveLength(998);
  expect(first?.at).toBe(began + 2 * HOUR);
  expect(counting.read).toBeLessThanOrEqual(1_020);
});

it('its pages are what it says in one', async () => {
  const whole = await readTimeline(own.db, vendorId, contractId, { before: null, most: 100_000 });
  expect(whole?.earlier).toBeNull();
  const kinds = Map.groupBy(whole?.past ?? [], ({ kind }) => kind);
  const counts = Object.fromEntries([...kinds].map(([kind, some]) => [kind, some.length]));
  expect(counts).toEqual({
    ...{ parked: HOURS, usage_closed: HOURS, period_began: HOURS + 1, invoice_made: HOURS + 1 },
    ...{ 'v1.usage_period.closed': HOURS, 'v1.credit.granted': HOURS, 'v1.contract.signature.completed': 1 },
    ...{ 'v1.payment.failed': HOURS, 'v1.payment.succeeded': HOURS, 'v1.invoice.paid': HOURS, 'v1.customer.activated': HOURS / 100 },
  });
  const pages: string[][] = [];
  for (let before: Instant | null = null; ; ) {
    const page: ContractTimeline | null = await readTimeline(own.db, vendorId, contractId, { before, most: 1_000 });
    if (page === null) break;
    pages.unshift(entries(page));
    before = page.earlier;
    if (before === null) break;
  }
  expect(pages.flat()).toEqual(entries(whole as ContractTimeline));
});
