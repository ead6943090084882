import { Pricing } from '../../db/entities/catalogue.ts';
import { newId } from '../../db/id.ts';
import { lockPlan } from '../../db/plan/read.ts';
import { savePlan } from '../../services/plan/save.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { countStatements, type StatementCount } from '../support/statements.ts';
import { flatPlan } from '../workflows/inputs.ts';

const RETIRED = 2_000;
const MOST_ROWS = 20;

let counter: StatementCount;
let own: OwnDatabase;
let vendorId: string;
beforeAll(async () => {
  counter = countStatements();
  own = await ownDatabase();
  ({ vendorId } = await createVendor(own.db, 'prices'));
});
afterAll(async () => {
  counter.restore();
  await own?.drop();
});

/** A plan that was sold at many prices before the one it is sold at now. */
async function soldAtMany(): Promise<ReturnType<typeof flatPlan>> {
  const plan = flatPlan('10.00');
  await own.db.transaction((tx) => savePlan(tx, vendorId, plan, Date.now()));
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
  const saved = await counter.during(() =>
    own.db.transaction(async (tx) => {
      const before = await lockPlan(tx.em, vendorId, plan.id);
      expect(before?.pricings.map(({ id }) => id)).toEqual(plan.pricings.map(({ id }) => id));
      await savePlan(tx, vendorId, { ...plan, externalName: 'Renamed' }, Date.now());
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
      await lockPlan(tx.em, vendorId, plan.id);
      await savePlan(tx, vendorId, { ...plan, pricings }, Date.now());
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
