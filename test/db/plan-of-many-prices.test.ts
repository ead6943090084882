import { DAY, HOUR } from '../../billing/calendar/instant.ts';
import { Feature, Pricing } from '../../db/entities/catalogue.ts';
import { newId } from '../../db/id.ts';
import { lockPlan, retiredFeatures } from '../../db/plan/read.ts';
import { readPlan } from '../../db/sql/plan/read.ts';
import { versionOfContract } from '../../db/sql/plan/version-of-contract.ts';
import { savePlan } from '../../services/plan/save.ts';
import { countedVendor } from '../support/counted-vendor.ts';
import { countingReads } from '../support/rows-read.ts';
import { flatPlan } from '../workflows/inputs.ts';

const RETIRED = 2_000;
const MOST_ROWS = 20;

const own = countedVendor('prices');

/** A plan that was sold at many prices before the one it is sold at now. */
async function soldAtMany(): Promise<ReturnType<typeof flatPlan>> {
  const plan = flatPlan('10.00');
  await own.db.transaction((tx) => savePlan(tx, own.vendorId, plan, Date.now()));
  await own.db.query(
    `insert into pricing select (jsonb_populate_record(p, jsonb_build_object('id', p.id || '_' || n, 'active', false))).*
       from pricing p, generate_series(1, $2::int) n where p.plan_id = $1`,
    [plan.id, RETIRED],
  );
  return plan;
}

const pricingsOf = (plan: string, active: boolean) => own.db.em().find(Pricing, { plan, active }, { orderBy: { position: 'asc' } });

it(`a plan with ${RETIRED} retired prices is read and saved by at most ${MOST_ROWS} rows`, async () => {
  const plan = await soldAtMany();
  const saved = await own.during(() =>
    own.db.transaction(async (tx) => {
      const before = await lockPlan(tx.em, own.vendorId, plan.id);
      expect(before?.pricings.map(({ id }) => id)).toEqual(plan.pricings.map(({ id }) => id));
      await savePlan(tx, own.vendorId, { ...plan, externalName: 'Renamed' }, Date.now());
    }),
  );
  expect(saved.rows).toBeLessThanOrEqual(MOST_ROWS);
  expect((await pricingsOf(plan.id, true)).map(({ id }) => id)).toEqual(plan.pricings.map(({ id }) => id));
});

it('a price that is kept stays the row it is, one that is not is retired, and a new one is sold', async () => {
  const plan = await soldAtMany();
  const [kept] = plan.pricings;
  if (kept === undefined) throw new Error('the plan has no price');
  const next = { ...kept, id: newId('Price'), cycle: 'year' as const };
  const save = (pricings: typeof plan.pricings) =>
    own.db.transaction(async (tx) => {
      await lockPlan(tx.em, own.vendorId, plan.id);
      await savePlan(tx, own.vendorId, { ...plan, pricings }, Date.now());
    });
  await save([kept, next]);
  expect((await pricingsOf(plan.id, true)).map(({ id }) => id)).toEqual([kept.id, next.id]);
  await save([next]);
  expect((await pricingsOf(plan.id, true)).map(({ id }) => id)).toEqual([next.id]);
  expect(await pricingsOf(plan.id, false)).toHaveLength(RETIRED + 1);
  // in the transaction that has retired it, a price of the same currency and cycle takes its place
  const again = { ...next, id: newId('Price') };
  await save([again]);
  expect((await pricingsOf(plan.id, true)).map(({ id }) => id)).toEqual([again.id]);
});

/** A plan that had many features before the one it has now, and as many versions. */
async function hadMany(): Promise<{ plan: ReturnType<typeof flatPlan>; changed: number }> {
  const plan = flatPlan('10.00', { calls: '0.10' });
  const changed = Date.now();
  await own.db.transaction((tx) => savePlan(tx, own.vendorId, plan, changed));
  await own.db.query(
    `insert into feature select (jsonb_populate_record(f, jsonb_build_object('id', f.id || '_' || n, 'slug', f.slug || n, 'archived', true))).*
       from feature f, generate_series(1, $2::int) n where f.plan_id = $1`,
    [plan.id, RETIRED],
  );
  await own.db.query('update plan_version set number = number + $2::int where plan_id = $1', [plan.id, RETIRED]);
  await own.db.query(
    `insert into plan_version
       select (jsonb_populate_record(v, jsonb_build_object('number', n, 'began', v.began - (1 + $2::int - n) * interval '1 hour', 'held',
         jsonb_set(v.held, '{pricings,0,id}', to_jsonb('Price_' || n))))).*
       from plan_version v, generate_series(1, $2::int) n where v.plan_id = $1`,
    [plan.id, RETIRED],
  );
  return { plan, changed };
}

describe(`a plan with ${RETIRED} archived features and earlier versions`, () => {
  let plan: ReturnType<typeof flatPlan>;
  let changed: number;
  beforeAll(async () => {
    ({ plan, changed } = await hadMany());
  });

  it.each(['before', 'after'])('is read, and the version of a contract found, by few rows %s Postgres has counted them', async (when) => {
    if (when === 'after') await own.db.query('analyze feature, plan_version');
    // of versions Postgres may sort the rows, but it looks into none that a page of its own has
    const counting = countingReads(own.db, when === 'after' ? ['feature', 'plan_version'] : ['feature']);
    expect((await readPlan(counting, own.vendorId, plan.id))?.features.map(({ slug }) => slug)).toEqual(['calls']);
    const signed = { vendorId: own.vendorId, planId: plan.id };
    const now = { ...signed, pricingId: plan.pricings[0]?.id ?? '', created: changed };
    const before = { ...signed, pricingId: `Price_${RETIRED - 5}`, created: changed - 5.5 * HOUR };
    expect([await versionOfContract(counting, now), await versionOfContract(counting, before)]).toMatchObject([
      { number: RETIRED + 1 },
      { number: RETIRED - 5 },
    ]);
    expect(counting.read).toBeLessThanOrEqual(MOST_ROWS);
    const ahead = { ...signed, pricingId: `Price_${RETIRED}`, created: changed - RETIRED * DAY };
    expect(await versionOfContract(own.db, ahead)).toMatchObject({ number: RETIRED });
    expect(await versionOfContract(own.db, { ...now, pricingId: 'Price_of_another' })).toBeNull();
  });

  it(`is saved by at most ${MOST_ROWS} rows, and a feature that comes back is the row it was`, async () => {
    const [sold] = plan.features;
    if (sold === undefined) throw new Error('the plan has no feature');
    const back = { ...sold, id: `${sold.id}_7`, slug: `${sold.slug}7` };
    const saved = await own.during(() =>
      own.db.transaction(async (tx) => {
        const before = await lockPlan(tx.em, own.vendorId, plan.id);
        expect(before?.features).toEqual([sold]);
        expect(await retiredFeatures(tx.em, plan.id, [back.slug, 'never'])).toMatchObject([{ id: back.id }]);
        await savePlan(tx, own.vendorId, { ...plan, features: [sold, back] }, Date.now());
      }),
    );
    expect(saved.rows).toBeLessThanOrEqual(MOST_ROWS);
    const kept = { plan: plan.id, archived: false };
    expect(await own.db.em().find(Feature, kept, { orderBy: { position: 'asc' } })).toMatchObject([{ id: sold.id }, { id: back.id }]);
    expect(await own.db.em().count(Feature, { plan: plan.id })).toBe(RETIRED + 1);
  });
});
