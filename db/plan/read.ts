import type { Queryable } from '../connect.ts';
import type { List } from '../list/page.ts';
import { Where } from '../list/where.ts';
import { PLAN_COLUMNS, type PlanRecordRow, toPlan } from '../mapping/plan.ts';
import type { CatalogueFeature, CataloguePlan } from './plan.ts';

export async function readPlan(db: Queryable, vendorId: string, planId: string): Promise<CataloguePlan | null> {
  const [row] = await db.query<PlanRecordRow>(`select ${PLAN_COLUMNS} from plan where vendor_id = $1 and id = $2`, [vendorId, planId]);
  return row === undefined ? null : toPlan(row);
}

/** The same, held against changes by others until the transaction ends. */
export async function lockPlan(tx: Queryable, vendorId: string, planId: string): Promise<CataloguePlan | null> {
  await tx.query('select id from plan where vendor_id = $1 and id = $2 for update', [vendorId, planId]);
  return readPlan(tx, vendorId, planId);
}

/** Features the plan had once: their slugs keep their ids when they come back. */
export async function retiredFeatures(tx: Queryable, planId: string): Promise<CatalogueFeature[]> {
  return tx.query<CatalogueFeature>(
    `select id, slug, name, charge_trigger as "chargeTrigger", group_name as "group" from feature where plan_id = $1 and archived`,
    [planId],
  );
}

export function planList(vendorId: string, filter: { slug?: string | undefined; status?: string | undefined }): List {
  return {
    from: 'plan',
    select: PLAN_COLUMNS,
    at: 'plan.created',
    id: 'plan.id',
    where: new Where()
      .and('plan.vendor_id = ?', vendorId)
      .andGiven('plan.slug = ?', filter.slug)
      .andGiven('plan.status = ?', filter.status),
  };
}
