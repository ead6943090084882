import type { OfferedFeature, OfferedPricing } from '../../../billing/contract/terms/offer.ts';
import type { CataloguePlan } from '../../plan/plan.ts';

/** A plan's row with its features and active pricings as JSON, as `PLAN_COLUMNS` reads them. */
export interface PlanRecordRow {
  id: string;
  slug: string;
  internal_name: string;
  external_name: string | null;
  description: string | null;
  strategy: CataloguePlan['strategy'];
  free_trial_days: number;
  metadata: Record<string, string>;
  change_rules: CataloguePlan['changeRules'];
  pause_rules: CataloguePlan['pauseRules'];
  status: CataloguePlan['status'];
  created: number;
  features: OfferedFeature[] | null;
  pricings: OfferedPricing[] | null;
}

export const PLAN_COLUMNS = `plan.id, plan.slug, plan.internal_name, plan.external_name, plan.description, plan.strategy,
  plan.free_trial_days, plan.metadata, plan.change_rules, plan.pause_rules, plan.status, plan.created,
  (select jsonb_agg(jsonb_build_object('id', f.id, 'slug', f.slug, 'name', f.name, 'chargeTrigger', f.charge_trigger, 'group', f.group_name,
     'value', f.value)
     order by f.position, f.id) from feature f where f.plan_id = plan.id and not f.archived) as features,
  (select jsonb_agg(jsonb_build_object('id', p.id, 'currency', p.currency, 'cycle', p.cycle, 'freeCycles', p.free_cycles,
     'price', p.price, 'features', p.features, 'groups', p.groups, 'credits', p.credits)
     order by p.position, p.id) from pricing p where p.plan_id = plan.id and p.active) as pricings`;

export function toPlan(row: PlanRecordRow): CataloguePlan {
  return {
    id: row.id,
    slug: row.slug,
    internalName: row.internal_name,
    externalName: row.external_name,
    description: row.description,
    strategy: row.strategy,
    freeTrialDays: row.free_trial_days,
    metadata: row.metadata,
    changeRules: row.change_rules,
    pauseRules: row.pause_rules,
    status: row.status,
    created: row.created,
    features: row.features ?? [],
    pricings: row.pricings ?? [],
  };
}
