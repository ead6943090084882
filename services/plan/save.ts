import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { fromFeature, fromPlan, fromPricing } from '../../db/mapping/plan.ts';
import type { CataloguePlan } from '../../db/plan/plan.ts';
import { insertRows, upsertRows } from '../../db/rows.ts';
import { violatedConstraint } from '../../db/sql-state.ts';

/** Writes a plan as it shall be. Pricings that are not in it any more are retired, never changed: contracts point at them. */
export async function savePlan(tx: Tx, vendorId: string, plan: CataloguePlan, at: number): Promise<void> {
  try {
    await upsertRows(tx, 'plan', ['id'], [fromPlan(plan, vendorId)]);
  } catch (error) {
    if (violatedConstraint(error) === 'plan_slug_unique')
      throw new Refusal('slug_taken', 'another plan has this slug', { slug: 'is taken' });
    throw error;
  }
  await tx.query('update feature set archived = true where plan_id = $1 and not (id = any($2::text[]))', [
    plan.id,
    plan.features.map(({ id }) => id),
  ]);
  await upsertRows(
    tx,
    'feature',
    ['id'],
    plan.features.map((feature, position) => fromFeature(feature, plan, vendorId, position)),
  );
  await tx.query('update pricing set active = false where plan_id = $1 and active and not (id = any($2::text[]))', [
    plan.id,
    plan.pricings.map(({ id }) => id),
  ]);
  await insertRows(
    tx,
    'pricing',
    plan.pricings.map((pricing, position) => fromPricing(pricing, plan, vendorId, position, at)),
    'on conflict (id) do nothing',
  );
}

/** Not sold any more; running contracts go on. */
export async function archivePlan(tx: Tx, vendorId: string, planId: string): Promise<boolean> {
  const rows = await tx.query(`update plan set status = 'archived' where vendor_id = $1 and id = $2 returning id`, [vendorId, planId]);
  return rows.length > 0;
}
