import fc from 'fast-check';
import { at } from '../../billing/calendar/instant.ts';
import { sumUsage, type UsageEvent } from '../../billing/usage/sum.ts';
import { connect, type Database } from '../../db/connect.ts';
import { usageOfPeriods } from '../../db/contract/usage-totals.ts';
import { newId } from '../../db/id.ts';
import { insertRows, stamp } from '../../db/rows.ts';
import { runs } from '../support/runs.ts';
import { servers } from '../support/servers.ts';

const FROM = at('2025-01-01');
const TO = at('2025-02-01');
const NOON = at('2025-01-15T12:00:00Z');

let db: Database;
beforeAll(async () => {
  db = await connect({ databaseUrl: (await servers()).databaseUrl, databasePool: 2 });
});
afterAll(() => db.close());

type Reported = Omit<UsageEvent, 'arrival' | 'id'>;

/** Few instants, so that events often share one. */
const reported: fc.Arbitrary<Reported> = fc.record({
  timestamp: fc.integer({ min: -4, max: 4 }).map((hours) => NOON + hours * 3_600_000),
  units: fc
    .integer({ min: 0, max: 99_999 })
    .map((thousandths) => `${Math.floor(thousandths / 1000)}.${String(thousandths % 1000).padStart(3, '0')}`),
  isAbsolute: fc.boolean(),
  discarded: fc.boolean(),
});

async function stored(events: readonly Reported[]): Promise<string> {
  const contractId = newId('Cont');
  await insertRows(
    db,
    'usage_event',
    events.map(({ timestamp, units, isAbsolute, discarded }, arrival) => ({
      id: newId('Evt'),
      seq: arrival + 1,
      vendor_id: 'v',
      customer_id: 'c',
      contract_id: contractId,
      period_idx: 1,
      feature_slug: 'calls',
      units,
      is_absolute: isAbsolute,
      timestamp: stamp(timestamp),
      arrived_at: stamp(timestamp),
      metadata: {},
      discarded_at: discarded ? stamp(timestamp) : null,
      allow_correction: false,
      corrected: false,
    })),
  );
  return contractId;
}

describe('usage summed by Postgres', () => {
  it('equals the rule for any mix of events, markers and discarded ones, in all and up to an instant', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(reported, { minLength: 1, maxLength: 12 }), async (events) => {
        const contractId = await stored(events);
        const [total] = await usageOfPeriods(db, [{ contractId, idx: 1 }], NOON);
        const all = events.map((event, arrival): UsageEvent => ({ ...event, id: String(arrival), arrival }));
        const sum = sumUsage(all, { from: FROM, to: TO });
        const sumUntilNoon = sumUsage(all, { from: FROM, to: NOON, endIncluded: true });
        expect({ units: total?.units ?? '0', events: total?.events ?? 0 }).toEqual({ units: sum.units, events: sum.counted });
        expect(total?.unitsUntilNow ?? '0').toBe(sumUntilNoon.units);
      }),
      runs(0.25),
    );
  });
});
