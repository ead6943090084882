import type { Instant } from '../../../billing/calendar/instant.ts';
import type { HeldPlan } from '../../plan/plan.ts';
import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';

/** A version of a plan; `ended`: when the next one began, null for the one that is sold now. */
export interface PlanVersionRow {
  number: number;
  began: Instant;
  ended: Instant | null;
  held: HeldPlan;
}

/** The versions of a vendor's plan, newest first. SQL, as all list pages are. */
export function planVersionList(vendorId: string, planId: string): List {
  return {
    from: 'plan_version',
    select: `number, began, held,
      (select n.began from plan_version n where n.plan_id = plan_version.plan_id and n.number = plan_version.number + 1) as ended`,
    at: '-plan_version.number',
    serial: true,
    id: 'plan_version.plan_id',
    bytes: 'octet_length(r::text)',
    where: new Where().and('plan_version.vendor_id = ?', vendorId).and('plan_version.plan_id = ?', planId),
  };
}
