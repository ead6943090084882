import type { Database } from '../../db/connect.ts';
import { advanceContracts } from '../../db/contract/advance.ts';
import { type SignWish, signContract } from '../../db/contract/sign.ts';
import { blankCustomer } from '../../db/customer/customer.ts';
import { insertCustomer } from '../../db/customer/save.ts';
import { newId } from '../../db/id.ts';
import type { CataloguePlan } from '../../db/plan/plan.ts';
import { savePlan } from '../../db/plan/save.ts';
import { stamp } from '../../db/rows.ts';
import { createVendor } from '../../db/vendor/create-vendor.ts';

const HOUR = 3_600_000;
const BATCH = 50;
const ACTIVATED = 200;

/** Contracts by the hour, three lines a period (29.00 + 10.00 + 1.00), all of whose second period begins at one instant. */
export interface Herd {
  vendorId: string;
  ids: string[];
  /** the boundary, once it is chosen */
  dueAt: number;
}

export const LINES = 3;
export const TOTAL = '40.00';

/** Signed to begin some day, and nothing more: no worker may run yet. */
export async function makeHerd(db: Database, size: number): Promise<Herd> {
  const someDay = Date.now() + 24 * HOUR;
  const { vendorId } = await createVendor(db, `Herd of ${size}`);
  const plan = planOf();
  await db.transaction((tx) => savePlan(tx, vendorId, plan, Date.now()));
  const ids: string[] = [];
  for (let from = 0; from < size; from += BATCH) {
    const count = Math.min(BATCH, size - from);
    await db.transaction(async (tx) => {
      for (let i = 0; i < count; i += 1) {
        const now = Date.now();
        const customer = { ...blankCustomer(vendorId, null, now), name: 'Acme', status: 'active' as const };
        await insertCustomer(tx, customer, now);
        const { contract } = await signContract(tx, wishOf(vendorId, customer.id, plan.id, someDay));
        ids.push(contract.id);
      }
    });
  }
  return { vendorId, ids, dueAt: 0 };
}

/** Has the first period of all begin an hour before an instant, as if it had been asked for when they were signed. */
export async function fallDue(db: Database, herd: Herd, dueAt: number): Promise<void> {
  const began = stamp(dueAt - HOUR);
  await db.query('update contract set activation = $2 where id = any($1::text[])', [herd.ids, began]);
  await db.query(`update agenda set due_at = $2 where contract_id = any($1::text[]) and kind = 'activation'`, [herd.ids, began]);
  for (let from = 0; from < herd.ids.length; from += ACTIVATED) {
    const ids = herd.ids.slice(from, from + ACTIVATED);
    await db.transaction((tx) => advanceContracts(tx, [{ ids, lock: 'wait' }], Math.min(Date.now(), dueAt - 1)));
  }
  herd.dueAt = dueAt;
}

function planOf(): CataloguePlan {
  const flat = (amount: string) => ({ id: newId('Price'), amount, strategy: { kind: 'flat' as const }, freeCycles: 0, taxCode: null });
  const feature = (slug: string) => ({ id: newId('Feat'), slug, name: slug, chargeTrigger: 'every_cycle' as const, group: null });
  return {
    id: newId('Plan'),
    slug: 'hourly',
    internalName: 'Hourly',
    externalName: null,
    description: null,
    strategy: 'plan',
    freeTrialDays: 0,
    metadata: {},
    status: 'active',
    created: Date.now(),
    features: [feature('support'), feature('storage')],
    pricings: [
      {
        id: newId('Price'),
        currency: 'usd',
        cycle: 'hour',
        freeCycles: 0,
        price: flat('29.00'),
        features: { support: flat('10.00'), storage: flat('1.00') },
        groups: {},
      },
    ],
  };
}

const wishOf = (vendorId: string, customerId: string, planId: string, activation: number): SignWish => ({
  vendorId,
  customerId,
  planId,
  pricing: { pricingId: null, currency: null, cycle: null },
  overrides: {},
  discountId: null,
  activation,
  isPending: false,
  expiration: null,
  trialDays: null,
  freeCycles: null,
  offset: null,
  configuration: {},
});
