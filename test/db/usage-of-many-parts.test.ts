import { type Decimal, dec, text } from '../../billing/money/decimal.ts';
import { wrongCarriedCounts } from '../../db/health/carried-counts.ts';
import { countUsage } from '../../db/usage/count.ts';
import { countedVendor } from '../support/counted-vendor.ts';
import { countingReads } from '../support/rows-read.ts';

const PARTS = 2_000;
const SLUG = 'calls';
const CHANGE = { events: 1, listed: 1, at: Date.parse('2025-06-01T00:00Z'), isAbsolute: false };

/** Parts that follow each other: at every third change the price is another, every seventh part has a marker. */
const PERIODS = `
  insert into usage_period (contract_id, idx, start_at, usage_from, usage_until, status, follows_contract_id, follows_idx, goes_on)
  select $1 || n, 1, '2025-06-01', '2025-06-01', '2025-06-02', 'closed', case when n > 1 then $1 || (n - 1) end, case when n > 1 then 1 end,
    case when n % 3 = 0 then '[]'::jsonb else '["feature:calls"]'::jsonb end
  from generate_series(1, $2::int) n`;
/** Of every eleventh part nothing was reported, so that it has no counter. */
const COUNTERS = `
  insert into usage_counter (contract_id, period_idx, feature_slug, units, events, own_units, own_events, marker, marker_at)
  select $1 || n, 1, 'calls', 0, 0, n + case when n % 7 = 0 then 3 else 0 end, 2, case when n % 7 = 0 then n end, case when n % 7 = 0 then now() end
  from generate_series(1, $2::int) n where n % 11 <> 0`;

interface Count {
  units: string;
  events: number;
}

/** What was reported of the nth part, as it was written. */
function reportedIn(n: number): { units: number; events: number; marker: Decimal | null } {
  if (n % 11 === 0) return { units: 0, events: 0, marker: null };
  return n % 7 === 0 ? { units: n + 3, events: 2, marker: dec(n) } : { units: n, events: 2, marker: null };
}

/** What each part counts, part by part, once an event of `more` units was added to the first; of 0 units: none. */
function counted(parts: number, more: number): Count[] {
  let [base, units, events]: [Decimal, Decimal, number] = [dec('0'), dec('0'), 0];
  return Array.from({ length: parts }, (_, place) => {
    const isOne = place % 3 !== 0;
    const own = reportedIn(place + 1);
    const added = place === 0 ? more : 0;
    base = isOne ? base : units;
    const begin = own.marker === null ? units : (base.gt(own.marker) ? base : own.marker).minus(own.marker);
    units = begin.plus(own.units + added);
    events = own.events + Math.sign(added) + (own.marker === null && isOne ? events : 0);
    return { units: text(units), events };
  });
}

const vendor = countedVendor('Of many parts');

async function chain(name: string, parts: number): Promise<(n: number) => { contractId: string; idx: number; slug: string }> {
  await vendor.db.query(PERIODS, [name, parts]);
  await vendor.db.query(COUNTERS, [name, parts]);
  await vendor.db.query('vacuum analyze usage_period, usage_counter');
  return (n) => ({ contractId: `${name}${n}`, idx: 1, slug: SLUG });
}

const countsOf = (name: string): Promise<Count[]> =>
  vendor.db.query<Count>(
    `select trim_scale(units)::text as units, events::int as events from usage_counter where contract_id ~ $1
     order by substr(contract_id, $2::int)::int`,
    [`^${name}`, name.length + 1],
  );

it(`an event of the first of ${PARTS} parts of a billing period is counted in all of them by as many statements as in three`, async () => {
  const [few, many] = [await chain('Few_', 3), await chain('Many_', PARTS)];
  const count = (key: ReturnType<typeof few>) => () => vendor.db.transaction((tx) => countUsage(tx, key, [{ ...CHANGE, units: '5' }]));
  const { statements } = await vendor.during(count(few(1)));
  expect((await vendor.during(count(many(1)))).statements).toBe(statements);
  expect(await countsOf('Few_')).toEqual(counted(3, 5));
  expect(await countsOf('Many_')).toEqual(counted(PARTS, 5));
  expect(await wrongCarriedCounts(vendor.db)).toEqual([]);
});

it('each part is read some times for an event of the first or of one in the middle, and few are for one of the last', async () => {
  const part = await chain('Read_', PARTS);
  const readFor = async (n: number): Promise<number> => {
    const counting = countingReads(vendor.db, ['usage_period', 'usage_counter']);
    await countUsage(counting, part(n), [{ ...CHANGE, units: '0', events: 0, listed: 0 }]);
    return counting.read;
  };
  expect(await readFor(1)).toBeLessThanOrEqual(8 * PARTS);
  expect(await readFor(PARTS / 2)).toBeLessThanOrEqual(8 * PARTS);
  expect(await readFor(PARTS)).toBeLessThanOrEqual(12);
  expect(await countsOf('Read_')).toEqual(counted(PARTS, 0));
});
