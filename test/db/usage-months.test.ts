import { at } from '../../billing/calendar/instant.ts';
import { doctorChecks } from '../../cli/doctor-checks.ts';
import type { Database } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { findEvent } from '../../db/sql/usage/find-event.ts';
import { insertEvent } from '../../db/sql/usage/insert-event.ts';
import { makeUsageMonths } from '../../db/usage/months.ts';
import { ownDatabase } from '../support/own-database.ts';

let db: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await ownDatabase());
});
afterAll(() => drop());

const partitions = async (): Promise<string[]> => {
  const rows = await db.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'usage_event'::regclass order by 1`,
  );
  return rows.map(({ name }) => name);
};
const monthOf = (date: string): string => `usage_month_${date.slice(0, 7).replace('-', '_')}`;
const placeOf = async (id: string): Promise<string | undefined> =>
  (await db.query<{ place: string }>('select tableoid::regclass::text as place from usage_event where id = $1', [id]))[0]?.place;

/** An id as it would be made at an instant. */
const idAt = (instant: number): string => {
  const time = instant.toString(16).padStart(12, '0');
  return `Evt_${time.slice(0, 8)}-${time.slice(8)}${newId('Evt').slice(17)}`;
};

const report = (id: string, idempotencyKey: string | null = null) =>
  insertEvent(
    db,
    {
      id,
      vendorId: 'Wbc_1',
      keyId: '',
      customerId: 'Cust_1',
      slug: 'calls',
      units: '1',
      isAbsolute: false,
      metadata: {},
      timestamp: null,
      idempotencyKey,
      allowCorrection: false,
    },
    { contractId: 'Cont_1', idx: 1, at: at('1971-01-01'), arrivedAt: at('1971-01-01'), corrected: false },
  );

describe('usage events lie in a partition for each month', () => {
  it('of which migrating makes this one and the next three', async () => {
    const now = new Date();
    const dates = [0, 1, 2, 3].map((n) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + n, 1)).toISOString());
    expect(await partitions()).toEqual([...dates.map(monthOf), 'usage_month_other'].sort());
    expect(await makeUsageMonths(db, now.getTime())).toEqual([]);
  });

  it('by when their ids were made, whatever their timestamps', async () => {
    const id = newId('Evt');
    await report(id);
    expect(await placeOf(id)).toBe(monthOf(new Date().toISOString()));
  });

  it('from the first instant of a month to the last one of it, also where the year ends', async () => {
    expect(await makeUsageMonths(db, at('2040-11-30T23:59:59.999Z'))).toEqual([
      'usage_month_2040_11',
      'usage_month_2040_12',
      'usage_month_2041_01',
      'usage_month_2041_02',
    ]);
    const places = ['2040-12-01T00:00:00Z', '2040-12-31T23:59:59.999Z', '2041-01-01T00:00:00Z'].map(
      (date) => [date, idAt(at(date))] as const,
    );
    for (const [, id] of places) await report(id);
    expect(await Promise.all(places.map(([, id]) => placeOf(id)))).toEqual(places.map(([date]) => monthOf(date)));
  });

  it('and in the one for all others where a month has none; they stay there, and the months after it get theirs', async () => {
    const id = idAt(at('2050-05-05'));
    await report(id);
    expect(await placeOf(id)).toBe('usage_month_other');
    expect(await makeUsageMonths(db, at('2050-05-06'))).toEqual(['usage_month_2050_06', 'usage_month_2050_07', 'usage_month_2050_08']);
    expect(await placeOf(id)).toBe('usage_month_other');
  });

  it('made once by two processes at a time', async () => {
    const made = await Promise.all([1, 2, 3].map(() => makeUsageMonths(db, at('2060-01-10'))));
    expect(made.flat().sort()).toEqual(['usage_month_2060_01', 'usage_month_2060_02', 'usage_month_2060_03', 'usage_month_2060_04']);
  });

  it('while one key is taken once over all months, also when the month of its event has been put away', async () => {
    const [first, second] = [idAt(at('2040-11-10')), idAt(at('2040-12-10'))];
    expect(await report(first, 'batch-1')).toBe(true);
    expect(await report(second, 'batch-1')).toBe(false);
    expect(await findEvent(db, 'Wbc_1', 'batch-1')).toMatchObject({ id: first, customer_id: 'Cust_1' });
    await db.query('alter table usage_event detach partition usage_month_2040_11');
    expect(await report(second, 'batch-1')).toBe(false);
    expect(await findEvent(db, 'Wbc_1', 'batch-1')).toMatchObject({ id: first, customer_id: null });
    expect(await placeOf(first)).toBeUndefined();
  });

  it('and doctor names the month that has none', async () => {
    const check = doctorChecks(db, async () => []).find(({ asks }) => asks.includes('partitions'));
    expect(await check?.findings()).toEqual([]);
    const month = monthOf(new Date().toISOString());
    await db.query(`delete from usage_event where tableoid = $1::regclass`, [month]);
    await db.query(`drop table ${month}`);
    expect(await check?.findings()).toEqual([`${month} is missing`]);
    expect(await makeUsageMonths(db, Date.now())).toEqual([month]);
  });
});
