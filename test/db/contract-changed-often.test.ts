import { DAY, HOUR, type Instant } from '../../billing/calendar/instant.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { activeContracts } from '../../db/sql/contract/active-of-customer.ts';
import { readChainSchedule } from '../../db/sql/contract/chain-schedule.ts';
import { contractsOfCustomers } from '../../db/sql/contract/list.ts';
import { lockChain } from '../../db/sql/contract/lock-chain.ts';
import { lockLiveOfChain } from '../../db/sql/contract/lock-live-of-chain.ts';
import { openPeriods } from '../../db/sql/contract/open-periods.ts';
import { readStandings } from '../../db/sql/contract/read-standings.ts';
import { runningLines } from '../../db/sql/contract/running-lines.ts';
import { liveContractOf, liveContractsOf } from '../../db/sql/contract/usage-owners.ts';
import { contractsWithThreshold } from '../../db/sql/contract/with-threshold.ts';
import { usageTimes } from '../../db/sql/credit/usage-times.ts';
import { contractsToFreeze } from '../../db/sql/customer/contracts-to-freeze.ts';
import { readAccess } from '../../db/sql/entitlement/read-access.ts';
import { lastAmounts } from '../../db/sql/mrr/last-amounts.ts';
import { customersWithRoom } from '../../db/sql/usage/customers-with-room.ts';
import { moneyState } from '../../db/sql/usage/keep-room.ts';
import { lockPeriodAt } from '../../db/sql/usage/lock-period-at.ts';
import { noteRoom } from '../../db/sql/usage/note-room.ts';
import { placeChecks } from '../../db/sql/usage/place-checks.ts';
import { placeWatched } from '../../db/sql/usage/place-watched.ts';
import { roomOfContracts } from '../../db/sql/usage/room-of-contracts.ts';
import { runningUse } from '../../db/sql/usage/running-use.ts';
import type { ReportedUsage } from '../../db/usage/event.ts';
import { signContract } from '../../services/contract/sign.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { savePlan } from '../../services/plan/save.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { countingReads } from '../support/rows-read.ts';
import { flatPlan, signInput } from '../workflows/inputs.ts';

/** Each lived for an hour; the last of them is the first contract of the chain. */
const CHANGES = 2_000;
const PERIODS = 2_000;
/** Of all of them together it would be thousands. */
const FEW = 12;

/** The contracts that changes have left, named by how many hours ago they ended, with the move of the MRR of each. */
const LEFT = `
  insert into contract
  select (jsonb_populate_record(c, jsonb_build_object(
    'id', c.id || '_' || n, 'root_id', c.id || '_' || $2::int, 'status', 'moved', 'current_idx', 1,
    'created', c.began - (n + 1) * interval '1 hour', 'activation', c.began - (n + 1) * interval '1 hour',
    'start_at', c.began - (n + 1) * interval '1 hour', 'began', c.began - (n + 1) * interval '1 hour',
    'ended', c.began - n * interval '1 hour'))).*
  from contract c, generate_series(0, $2::int) n where c.id = $1`;
/** Live ones of other customers: an index of what lives is no way to find one of them. */
const OTHERS = `
  insert into contract
  select (jsonb_populate_record(c, jsonb_build_object('id', c.id || '_other_' || n, 'root_id', c.id || '_other_' || n, 'customer_id', 'Cust_other_' || n))).*
  from contract c, generate_series(1, $2::int) n where c.id = $1`;
const MOVES = `
  insert into mrr_move (id, vendor_id, clock_id, customer_id, root_id, contract_id, currency, number, at, kind, before, after, amount)
  select 'Move_' || m.its || n, vendor_id, '', customer_id, id || '_' || $2::int, id, m.its, n, began, 'expansion', n - 1, n, 1
  from contract c, generate_series(1, $2::int) n, unnest(array['eur', 'usd']) m(its) where c.id = $1`;
/** Those that were closed before the one that runs. */
const CLOSED = `
  insert into usage_period
  select (jsonb_populate_record(p, jsonb_build_object('idx', $2::int - n, 'status', 'closed', 'closed_at', p.start_at,
    'start_at', p.start_at - n * interval '1 day', 'end_at', p.start_at - (n - 1) * interval '1 day',
    'usage_from', p.usage_from - n * interval '1 day', 'usage_until', p.usage_from - (n - 1) * interval '1 day'))).*
  from usage_period p, generate_series(1, $2::int - 1) n where p.contract_id = $1 and p.idx = $2::int`;
const GRANT = 'Grant_of_many_changes';
/** Credits whose life ended an hour before the contract that lives began, and began an hour and a half before that. */
const GRANTED = `
  insert into credit_grant (id, vendor_id, customer_id, currency, kind, amount, balance, priority, effective_at, expires_at, created)
  select $2, vendor_id, customer_id, currency, 'promotional', 5, 5, 50, began - interval '150 minutes', began - interval '1 hour', began
  from contract where id = $1`;

let own: OwnDatabase;
let vendor: Awaited<ReturnType<typeof createVendor>>;
let customerId: string;
let contractId: string;
let rootId: string;
let began: Instant;

beforeAll(async () => {
  own = await ownDatabase();
  const { db } = own;
  vendor = await createVendor(db, 'Of many changes');
  const { vendorId } = vendor;
  const customer = { ...blankCustomer(vendorId, null, Date.now()), name: 'Acme', status: 'active' as const };
  const plan = flatPlan('10.00', { calls: '0.10' });
  customerId = customer.id;
  contractId = await db.transaction(async (tx) => {
    await savePlan(tx, vendorId, plan, Date.now());
    await insertCustomer(tx, customer, Date.now());
    return signContract(tx, signInput(vendorId, customerId, plan.id));
  });
  rootId = `${contractId}_${CHANGES}`;
  await db.query(OTHERS, [contractId, CHANGES]);
  await db.query(LEFT, [contractId, CHANGES]);
  await db.query(MOVES, [contractId, CHANGES]);
  await db.query('update contract set root_id = $2, current_idx = $3 where id = $1', [contractId, rootId, PERIODS]);
  await db.query('update usage_owner set root_id = $2 where customer_id = $1', [customerId, rootId]);
  await db.query('update customer set watched = true where id = $1', [customerId]);
  await db.query('update usage_period set idx = $2 where contract_id = $1', [contractId, PERIODS]);
  await db.query(CLOSED, [contractId, PERIODS]);
  await db.query(GRANTED, [contractId, GRANT]);
  await db.query(`insert into usage_room (customer_id, state, rooms) values ($1, 'another', '{}')`, [customerId]);
  await db.query('vacuum analyze contract, usage_period, mrr_move');
  const [row] = await db.query<{ began: Instant }>('select began from contract where id = $1', [contractId]);
  began = row?.began ?? 0;
}, 120_000);
afterAll(() => own?.drop());

/** What asks for prepared statements, too. */
const preparing = (db: Queryable): Database =>
  ({ prepared: (_name: string, sql: string, params: readonly unknown[]) => db.query(sql, params) }) as Database;

const event = (timestamp: Instant | null): ReportedUsage => ({
  ...{ id: newId('Evt'), vendorId: vendor.vendorId, keyId: vendor.keyId, customerId, slug: 'calls', units: '1' },
  ...{ isAbsolute: false, metadata: {}, timestamp, idempotencyKey: null, allowCorrection: false },
});

const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
const ask = (of: string | null) => ({ vendorId: vendor.vendorId, keyId: vendor.keyId, customerId, contractId: of });

const looks: [string, (db: Queryable) => Promise<unknown>, () => unknown][] = [
  [
    'what its customer may use',
    async (db) => (await readAccess(preparing(db), [ask(null)])).map((row) => row.contract_id),
    () => [contractId],
  ],
  [
    'what its customer may use, and an earlier contract',
    async (db) => (await readAccess(preparing(db), [ask(rootId)])).map((row) => row.contract_id),
    () => [contractId, rootId],
  ],
  [
    'how its customer stands',
    async (db) => (await readStandings(db, [{ customerId, rootId: null, contractId: null }])).map((row) => row.contractId),
    () => [contractId],
  ],
  [
    'how it stands, and how an earlier contract does',
    async (db) => (await readStandings(db, [{ customerId, rootId, contractId: rootId }])).map((row) => row.contractId),
    () => [contractId, rootId],
  ],
  ['the active contracts of its customer', async (db) => ids(await activeContracts(db, customerId)), () => [contractId]],
  ['who owns its usage', async (db) => [await liveContractsOf(db, [rootId]), await liveContractOf(db, rootId)].flat().length, () => 2],
  ['who pays its corrections', (db) => lockLiveOfChain(db, rootId), () => contractId],
  ['the lock of its chain', (db) => lockChain(db, contractId), () => undefined],
  ['the running use', async (db) => (await runningUse(db, customerId, Date.now(), 20)).map(({ idx }) => idx), () => [PERIODS]],
  ['its open periods', async (db) => (await openPeriods(db, new Map([[contractId, null]]))).map(({ idx }) => idx), () => [PERIODS]],
  [
    'the place of a check',
    async (db) => (await placeChecks(db, [{ customerId, slug: 'calls', at: Date.now(), active: null }])).map(({ idx }) => idx),
    () => [PERIODS],
  ],
  ['the place of an event', async (db) => (await placeWatched(db, [event(null)], 'wait')).map(({ idx }) => idx), () => [PERIODS]],
  ['the place of an event in a closed period', (db) => placeWatched(db, [event(began - HOUR)], 'wait'), () => []],
  ['the period of an instant', async (db) => (await lockPeriodAt(db, contractId, Date.now()))?.idx, () => PERIODS],
  ['the period of an instant some days ago', async (db) => (await lockPeriodAt(db, contractId, began - 2.5 * DAY))?.idx, () => PERIODS - 3],
  [
    'the usage that the expiry of credits waits for',
    async (db) => (await usageTimes(db, [GRANT])).map(({ closedAt }) => closedAt !== null),
    () => [true, false],
  ],
  ['what its customer’s usage costs', async (db) => (await moneyState(db, customerId)).length, () => 32],
  ['whether its customer’s usage surely reaches nothing', async (db) => [...(await customersWithRoom(db, [customerId], []))], () => []],
  ['what a freeze concerns', async (db) => ids(await contractsToFreeze(db, customerId)), () => [contractId]],
  [
    'what is booked of its MRR',
    async (db) => [...(await lastAmounts(db, [rootId])).values()],
    () => [['eur', 'usd'].map((currency) => ({ currency, amount: String(CHANGES), number: CHANGES }))],
  ],
];

describe(`of a contract that was changed ${CHANGES} times, with ${PERIODS - 1} closed periods, few rows are read for`, () => {
  it.each(looks)('%s', async (_, look, expected) => {
    const counting = countingReads(own.db, ['contract', 'usage_period', 'mrr_move']);
    expect(await look(counting)).toEqual(expected());
    expect(counting.read).toBeLessThanOrEqual(FEW);
  });

  it('the schedule of its chain, which shows the twenty latest', async () => {
    const counting = countingReads(own.db, ['contract', 'usage_period']);
    const schedule = await readChainSchedule(counting, rootId, null);
    expect(schedule?.contracts.map((one) => one.contractId)).toEqual([
      contractId,
      ...Array.from({ length: 19 }, (_, n) => `${contractId}_${n}`),
    ]);
    expect(counting.read).toBeLessThanOrEqual(150);
  });
});

it('with an invoice threshold, usage locks the contract that it counts in and those of its time, and none that had ended before', async () => {
  await own.db.query(`update contract set configuration = configuration || '{"invoiceThreshold": "100.00"}' where customer_id = $1`, [
    customerId,
  ]);
  await own.db.query('vacuum analyze contract');
  const counting = countingReads(own.db, ['contract', 'usage_period']);
  const placesOf = async (given: readonly Instant[], contractIds: readonly string[] = []) =>
    ids(await contractsWithThreshold(counting, [customerId], { slugs: ['calls'], given, contractIds })).toSorted();
  expect(await placesOf([])).toEqual([contractId]);
  expect(await placesOf([began - 1.5 * HOUR])).toEqual([contractId, `${contractId}_1`]);
  expect(await placesOf([began - 3.5 * HOUR, began - 1.5 * HOUR])).toEqual([contractId, ...[1, 2, 3].map((n) => `${contractId}_${n}`)]);
  // the one that an event to be amended is counted in
  expect(await placesOf([began + HOUR], [`${contractId}_7`])).toEqual([contractId, `${contractId}_7`]);
  // four looks
  expect(counting.read).toBeLessThanOrEqual(2 * FEW);
});

it('a customer is shown with a thousand contracts: those that live, and those that ended last', async () => {
  const counting = countingReads(own.db, ['contract']);
  const shown = (await contractsOfCustomers(counting, [customerId])).get(customerId);
  const left = Array.from({ length: 999 }, (_, n) => `${contractId}_${998 - n}`);
  expect(shown?.map(({ contract }) => contract.id)).toEqual([...left, contractId]);
  expect(counting.read).toBeLessThanOrEqual(3_000);
});

it('whether usage surely stays below an invoice threshold is known from few rows', async () => {
  await own.db.query(`update contract set configuration = configuration || '{"invoiceThreshold": "100.00"}' where id = $1`, [contractId]);
  await own.db.query(
    `insert into usage_counter (contract_id, period_idx, feature_slug, units) values ($1, $2, 'calls', 1) on conflict do nothing`,
    [contractId, PERIODS],
  );
  await own.db.query('vacuum analyze contract, usage_counter');
  const place = { contractId, idx: PERIODS, slug: 'calls' };
  await noteRoom(own.db, [{ ...place, units: '5' }]);
  const counting = countingReads(own.db, ['contract', 'customer', 'usage_period', 'invoice_item']);
  expect(await roomOfContracts(counting, [customerId], [{ ...place, units: '5' }])).toEqual([{ customerId, hasRoom: true }]);
  expect(counting.read).toBeLessThanOrEqual(FEW);
  expect(await roomOfContracts(own.db, [customerId], [{ ...place, units: '6' }])).toEqual([{ customerId, hasRoom: false }]);
});

it(`of ${CHANGES} lines that changes have given back, no credit is read for the line that runs`, async () => {
  const given = `id || '_' || n, 'contract_id', contract_id || '_' || n, 'charge_key', charge_key || '_' || n`;
  const lines = `from invoice_item i, generate_series(0, $2::int) n where i.contract_id = $1 and i.kind = 'recurring'`;
  const [line] = await own.db.query<{ id: string }>(`select id from invoice_item where contract_id = $1 and kind = 'recurring'`, [
    contractId,
  ]);
  await own.db.query(
    `insert into invoice_item
     select (jsonb_populate_record(i, jsonb_build_object('id', ${given}))).* ${lines}
     union all
     select (jsonb_populate_record(i, jsonb_build_object('id', 'back_' || ${given} || '_back', 'kind', 'credit', 'credit_of', id || '_' || n,
       'derivation', '{}'::jsonb))).* ${lines}`,
    [contractId, CHANGES],
  );
  await own.db.query(`update contract set predecessor_id = id || '_0' where id = $1`, [contractId]);
  await own.db.query('vacuum analyze contract, invoice_item');
  const since = new Map([[contractId, Date.now()]]);
  expect((await runningLines(own.db, since)).get(contractId)?.map(({ id }) => id)).toEqual([line?.id]);
  const looks: number[] = [];
  const explaining: Queryable = {
    query: async <R extends object>(sql: string, params: readonly unknown[] = []) => {
      const [row] = await own.db.query<{ 'QUERY PLAN': [{ Plan: LookedUp }] }>(`explain (analyze, format json) ${sql}`, params);
      for (const { Plan } of row?.['QUERY PLAN'] ?? []) looks.push(looksInto(Plan, 'invoice_item_credit_index'));
      return [] as R[];
    },
  };
  await runningLines(explaining, since);
  expect(looks).toEqual([1]);
});

/** A node of a plan of Postgres that was carried out. */
interface LookedUp {
  'Index Name'?: string;
  'Actual Loops': number;
  Plans?: LookedUp[];
}

const looksInto = ({ 'Index Name': name, 'Actual Loops': loops, Plans = [] }: LookedUp, index: string): number =>
  (name === index ? loops : 0) + Plans.reduce((sum, part) => sum + looksInto(part, index), 0);
