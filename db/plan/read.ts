import type { EntityManager } from '@mikro-orm/postgresql';
import type { Queryable } from '../connect.ts';
import { Feature, Plan } from '../entities/catalogue.ts';
import { PLAN_COLUMNS, type PlanRecordRow, toPlan } from '../mapping/plan.ts';
import type { List } from '../sql/list/page.ts';
import { Where } from '../sql/list/where.ts';
import { FOR_UPDATE } from '../sql/lock.ts';
import type { CatalogueFeature, CataloguePlan } from './plan.ts';

/** For every contract that is signed or changed: one statement, where the entities with their relations take three. */
export async function readPlan(db: Queryable, vendorId: string, planId: string): Promise<CataloguePlan | null> {
  const [row] = await db.query<PlanRecordRow>(`select ${PLAN_COLUMNS} from plan where vendor_id = $1 and id = $2`, [vendorId, planId]);
  return row === undefined ? null : toPlan(row);
}

/** The plan as it is sold now, held against changes by others until the transaction ends. */
export async function lockPlan(em: EntityManager, vendorId: string, planId: string): Promise<CataloguePlan | null> {
  const plan = await em.findOne(Plan, { id: planId, vendor: vendorId }, FOR_UPDATE);
  if (plan === null) return null;
  await em.populate(plan, ['features', 'pricings']);
  const { vendor: _vendor, ...facts } = plan;
  return {
    ...facts,
    features: plan.features.getItems().filter(({ archived }) => !archived),
    pricings: plan.pricings.getItems().filter(({ active }) => active),
  };
}

/** Features the plan had once: their slugs keep their ids when they come back. */
export const retiredFeatures = (em: EntityManager, planId: string): Promise<CatalogueFeature[]> =>
  em.find(Feature, { plan: planId, archived: true });

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
