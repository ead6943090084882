import type { Database } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import type { CataloguePlan } from '../../db/plan/plan.ts';
import { stamp } from '../../db/rows.ts';
import { advanceBatch } from '../../services/contract/advance.ts';
import { signContract } from '../../services/contract/sign.ts';
import type { SignContractInput } from '../../services/contract/signing.ts';
import { grantCredits, type NewGrant } from '../../services/credit/grant.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { savePlan } from '../../services/plan/save.ts';
import { createVendor } from '../../services/vendor-account/create.ts';

const HOUR = 3_600_000;
const BATCH = 50;
const ACTIVATED = 200;

/**
 * Contracts by the hour, three lines a period (29.00 + 10.00 + 1.00), all of whose second period begins at one instant
 * or within a short span.
 */
export interface Herd {
  vendorId: string;
  ids: string[];
  /** the boundary, or the first of them, once it is chosen */
  dueAt: number;
  /** milliseconds over which the boundaries are spread evenly, in the order of `ids` */
  span: number;
}

export const LINES = 3;
export const TOTAL = '40.00';

interface HerdWords {
  /** one in so many customers has prepaid credits for many periods; 0: none has */
  granted?: number;
  /** usage at 1.00 a unit besides, with an invoice threshold or without one */
  metered?: { threshold: string | null } | null;
}

/** Signed to begin some day, and nothing more: no worker may run yet. */
export async function makeHerd(db: Database, size: number, { granted = 0, metered = null }: HerdWords = {}): Promise<Herd> {
  const someDay = Date.now() + 24 * HOUR;
  const { vendorId } = await createVendor(db, `Herd of ${size}`);
  const plan = planOf(metered !== null);
  await db.transaction((tx) => savePlan(tx, vendorId, plan, Date.now()));
  const ids: string[] = [];
  for (let from = 0; from < size; from += BATCH) {
    const count = Math.min(BATCH, size - from);
    await db.transaction(async (tx) => {
      for (let i = 0; i < count; i += 1) {
        const now = Date.now();
        const customer = { ...blankCustomer(vendorId, null, now), name: 'Acme', status: 'active' as const };
        await insertCustomer(tx, customer, now);
        ids.push(await signContract(tx, inputOf(vendorId, customer.id, plan.id, someDay, metered?.threshold ?? null)));
        if (granted > 0 && (from + i) % granted === 0) await grantCredits(tx, creditsOf(vendorId, customer.id));
      }
    });
  }
  return { vendorId, ids, dueAt: 0, span: 0 };
}

/** When the contract in this place has its boundary, or the last of all. */
export const boundaryOf = ({ ids, dueAt, span }: Herd, place = ids.length - 1): number => dueAt + Math.floor((place * span) / ids.length);

/**
 * Has the first periods begin an hour before the boundaries, as if it had been asked for when the contracts were
 * signed.
 */
export async function fallDue(db: Database, herd: Herd, dueAt: number, span = 0): Promise<void> {
  Object.assign(herd, { dueAt, span });
  const began = herd.ids.map((_, place) => stamp(boundaryOf(herd, place) - HOUR));
  const from = 'from unnest($1::text[], $2::timestamptz[]) as x(id, began)';
  await db.query(`update contract c set activation = x.began ${from} where c.id = x.id`, [herd.ids, began]);
  await db.query(`update agenda a set due_at = x.began ${from} where a.contract_id = x.id and a.kind = 'activation'`, [herd.ids, began]);
  for (let first = 0; first < herd.ids.length; first += ACTIVATED) {
    const ids = herd.ids.slice(first, first + ACTIVATED);
    await db.transaction((tx) => advanceBatch(tx, ids, Math.min(Date.now(), dueAt - 1)), { by: 'timer' });
  }
}

function planOf(isMetered: boolean): CataloguePlan {
  const flat = (amount: string) => ({ id: newId('Price'), amount, strategy: { kind: 'flat' as const }, freeCycles: 0, taxCode: null });
  const perCall = { kind: 'usage' as const, unitName: 'call', overUsageChargeStrategy: 'extra_usage_overcharge' as const };
  const noMore = { overUsagePrice: null, minimumUnits: null, maximumUnits: null, batchSize: null, flatFee: null };
  const usage = { ...flat('1.00'), id: newId('Price'), strategy: { ...perCall, ...noMore } };
  const feature = (slug: string) => ({
    id: newId('Feat'),
    slug,
    name: slug,
    chargeTrigger: 'every_cycle' as const,
    group: null,
    value: null,
  });
  return {
    id: newId('Plan'),
    slug: 'hourly',
    internalName: 'Hourly',
    externalName: null,
    description: null,
    strategy: 'plan',
    freeTrialDays: 0,
    metadata: {},
    changeRules: {},
    pauseRules: {},
    status: 'active',
    created: Date.now(),
    features: [...['support', 'storage'], ...(isMetered ? ['calls'] : [])].map(feature),
    pricings: [
      {
        id: newId('Price'),
        currency: 'usd',
        cycle: 'hour',
        freeCycles: 0,
        price: flat('29.00'),
        features: { support: flat('10.00'), storage: flat('1.00'), ...(isMetered ? { calls: usage } : {}) },
        groups: {},
      },
    ],
  };
}

const creditsOf = (vendorId: string, customerId: string): NewGrant => ({
  ...{ vendorId, customerId, currency: 'usd', kind: 'promotional', amount: '1000.00', effectiveAt: null, expiresAt: null },
  ...{ priority: 50, features: null, plans: null, description: null, price: null },
});

const inputOf = (
  vendorId: string,
  customerId: string,
  planId: string,
  activation: number,
  invoiceThreshold: string | null,
): SignContractInput => ({
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
  configuration: { invoiceThreshold },
  changeRules: {},
});
