import { HOUR, type Instant } from '../../billing/calendar/instant.ts';
import { Refusal } from '../../billing/refusal.ts';
import { connect, type Database } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { lockContractsWith } from '../../db/sql/usage/lock-contracts.ts';
import type { ReportedUsage } from '../../db/usage/event.ts';
import { signContract } from '../../services/contract/sign.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { savePlan } from '../../services/plan/save.ts';
import { recordOne } from '../../services/usage/record-one.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { countingReads } from '../support/rows-read.ts';
import { countStatements, type StatementCount } from '../support/statements.ts';
import { flatPlan, signInput } from '../workflows/inputs.ts';

/** Each lived for an hour; the first contract of the chain is the oldest of them. */
const ENDED = 3_000;
/** Younger than the one that has begun. */
const AHEAD = 50;
const MOST_ROWS = 120;
const LOCK_MS = 5_000;

/** The contracts that changes have left, named by how many hours ago they ended. */
const LEFT = `
  insert into contract
  select (jsonb_populate_record(c, jsonb_build_object(
    'id', c.id || '_' || n, 'root_id', c.id || '_' || $2::int, 'status', 'moved', 'current_idx', null,
    'created', c.began - (n + 1) * interval '1 hour', 'activation', c.began - (n + 1) * interval '1 hour',
    'start_at', c.began - (n + 1) * interval '1 hour', 'began', c.began - (n + 1) * interval '1 hour',
    'ended', c.began - n * interval '1 hour'))).*
  from contract c, generate_series(0, $2::int) n where c.id = $1`;
/** Contracts of other plans that will begin some time. */
const TO_BEGIN = `
  insert into contract
  select (jsonb_populate_record(c, jsonb_build_object(
    'id', c.id || '_ahead_' || n, 'root_id', c.id || '_ahead_' || n, 'plan_id', c.plan_id || '_' || n, 'status', 'pending',
    'created', c.created + n * interval '1 second', 'began', null, 'start_at', null, 'current_idx', null))).*
  from contract c, generate_series(1, $2::int) n where c.id = $1`;

describe(`usage of a customer whose contract was changed ${ENDED} times, reported alone,`, () => {
  let own: OwnDatabase;
  let db: Database;
  let count: StatementCount;
  let vendor: Awaited<ReturnType<typeof createVendor>>;
  const customers: { id: string; contract: string; began: Instant }[] = [];

  beforeAll(async () => {
    count = countStatements();
    own = await ownDatabase();
    db = await connect({ databaseUrl: own.databaseUrl, databasePool: 2 });
    vendor = await createVendor(db, 'Of many contracts');
    for (const _ of ['changed', 'also signed ahead']) customers.push(await signed());
    const [changed, ahead] = customers;
    await db.query(LEFT, [changed?.contract, ENDED]);
    await db.query(`update contract set root_id = id || '_${ENDED}' where id = $1`, [changed?.contract]);
    await db.query(TO_BEGIN, [ahead?.contract, AHEAD]);
    await db.query('vacuum analyze contract');
  }, 120_000);
  afterAll(async () => {
    count.restore();
    await db?.close();
    await own?.drop();
  });

  async function signed() {
    const now = Date.now();
    const customer = { ...blankCustomer(vendor.vendorId, null, now), name: 'Acme', status: 'active' as const };
    const plan = flatPlan('10.00', { calls: '0.10' });
    const contract = await db.transaction(async (tx) => {
      await savePlan(tx, vendor.vendorId, plan, now);
      await insertCustomer(tx, customer, now);
      return signContract(tx, signInput(vendor.vendorId, customer.id, plan.id));
    });
    const [row] = await db.query<{ began: Instant }>('select began from contract where id = $1', [contract]);
    return { id: customer.id, contract, began: row?.began ?? 0 };
  }

  const event = (customerId: string, more: Partial<ReportedUsage>): ReportedUsage => ({
    id: newId('Evt'),
    vendorId: vendor.vendorId,
    keyId: '',
    customerId,
    slug: 'calls',
    units: '1',
    isAbsolute: false,
    metadata: {},
    timestamp: null,
    idempotencyKey: null,
    allowCorrection: false,
    ...more,
  });
  /** The contract that an event was counted in, or why not, and how many rows came back meanwhile. */
  async function recorded(customerId: string, more: Partial<ReportedUsage>) {
    const given = event(customerId, more);
    const results: Awaited<ReturnType<typeof recordOne>>[] = [];
    const { rows } = await count.during(async () => results.push(await recordOne(db, given, LOCK_MS)));
    const [result] = results;
    if (result !== undefined && 'error' in result)
      return { of: result.error instanceof Refusal ? result.error.code : String(result.error), rows };
    const [row] = await db.query<{ of: string }>('select contract_id as of from usage_event where id = $1', [given.id]);
    return { of: row?.of, rows };
  }

  const times: [string, Partial<ReportedUsage> & { hours: number | null }, string][] = [
    ['a marker, in the live one', { isAbsolute: true, hours: null }, ''],
    ['what may be a correction, in the live one', { allowCorrection: true, hours: null }, ''],
    ['at the instant of the last change, in the live one', { hours: 0 }, ''],
    ['half an hour before it, in the one that it ended', { hours: 0.5 }, '_0'],
    ['in the middle, in the one that lived then', { hours: ENDED / 2 + 0.5 }, `_${ENDED / 2}`],
    ['at the instant of a change, in the one that it began', { hours: ENDED / 2 }, `_${ENDED / 2 - 1}`],
    ['a correction in the middle, in the one that lived then', { allowCorrection: true, hours: ENDED / 2 + 0.5 }, `_${ENDED / 2}`],
    ['at the beginning, in the first one', { hours: ENDED + 0.5 }, `_${ENDED}`],
  ];
  it.each(times)('is counted: %s, and few rows are read', async (_, { hours, ...more }, of) => {
    const [{ id, contract, began } = { id: '', contract: '', began: 0 }] = customers;
    const timestamp = hours === null ? null : began - hours * HOUR;
    const result = await recorded(id, { timestamp, ...more });
    expect(result.of).toBe(`${contract}${of}`);
    expect(result.rows).toBeLessThanOrEqual(MOST_ROWS);
  });

  it.each([
    ['before the first one', { hours: ENDED + 2 }, 'usage_outside_contract'],
    ['of what nothing sells', { slug: 'unheard_of', hours: 1 }, 'feature_not_found'],
  ])('is refused: %s, and few rows are read', async (_, { hours, ...more }, code) => {
    const [{ id, began } = { id: '', began: 0 }] = customers;
    const result = await recorded(id, { timestamp: began - hours * HOUR, ...more });
    expect(result.of).toBe(code);
    expect(result.rows).toBeLessThanOrEqual(MOST_ROWS);
  });

  it.each(['key share', 'update'] as const)('looks at no contract that had ended, locking %s', async (strength) => {
    const [{ id: customerId, contract, began } = { id: '', contract: '', began: 0 }] = customers;
    for (const [hours, left] of [
      [0, []],
      [ENDED / 2 + 0.5, [`${contract}_${ENDED / 2}`]],
    ] as const) {
      const { found, read } = await db.transaction(async (tx) => {
        const counting = countingReads(tx, ['contract']);
        return {
          found: await lockContractsWith(counting, { customerId, slug: 'calls', at: began - hours * HOUR }, 20, strength),
          read: counting.read,
        };
      });
      expect(found.map(({ id }) => id)).toEqual([contract, ...left]);
      // found once, locked once, and so is the first contract of the chain
      expect(read).toBe(2 * found.length + 1);
    }
  });

  it(`is counted in the one that has begun, though ${AHEAD} younger ones are to begin`, async () => {
    const [, { id, contract } = { id: '', contract: '' }] = customers;
    expect((await recorded(id, { isAbsolute: true })).of).toBe(contract);
  });
});
