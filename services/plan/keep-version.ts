import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../db/connect.ts';
import { PlanVersion } from '../../db/entities/catalogue.ts';
import type { CataloguePlan, HeldPlan } from '../../db/plan/plan.ts';

/**
 * Keeps what a locked plan holds from now on as its newest version. An update that changes nothing makes none.
 */
export async function keepVersion({ em }: Tx, vendorId: string, plan: CataloguePlan, at: number): Promise<void> {
  const { id, status: _status, created: _created, ...held } = plan;
  const newest = await em.findOne(PlanVersion, { plan: id }, { orderBy: { number: 'desc' } });
  if (newest !== null && isDeepStrictEqual(asStored(newest.held), asStored(held))) return;
  em.create(PlanVersion, { plan: id, number: (newest?.number ?? 0) + 1, vendor: vendorId, began: at, held });
}

/** As it comes back from the database, without what is undefined. */
const asStored = (held: HeldPlan): unknown => JSON.parse(JSON.stringify(held));
