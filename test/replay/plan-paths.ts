import { PlanMove } from '../../db/entities/plan-move.ts';
import { savePlan } from '../../services/plan/save.ts';
import { startMove } from '../../services/plan-move/start.ts';
import { resumeMove, stopMove } from '../../services/plan-move/stop.ts';
import { eventually } from '../support/eventually.ts';
import { flatPlan } from '../workflows/inputs.ts';
import type { Kit } from '../workflows/kit.ts';
import type { Path } from './path.ts';

/** More than two activities move. */
const CONTRACTS = 110;

/** A plan with contracts, and its next version. */
async function raised(kit: Kit, contracts: number): Promise<string> {
  const plan = flatPlan('10.00');
  await kit.db.transaction((tx) => savePlan(tx, kit.vendorId, plan, Date.now()));
  for (let n = 0; n < contracts; n += 1) await kit.sign(await kit.customer(), plan.id);
  const dearer = { ...plan, pricings: flatPlan('20.00').pricings };
  await kit.db.transaction((tx) => savePlan(tx, kit.vendorId, dearer, Date.now()));
  return plan.id;
}

const start = ({ db, vendorId }: Kit, planId: string): Promise<string> =>
  db.transaction((tx) => startMove(tx, { vendorId, planId, toPlanId: null, time: 'immediate', contractIds: null }));

const reaches = ({ db }: Kit, moveId: string, status: string): Promise<void> =>
  eventually(async () => expectStatus((await db.em().findOneOrFail(PlanMove, { id: moveId })).status, status));

function expectStatus(is: string, wanted: string): void {
  if (is !== wanted) throw new Error(`the move is ${is}`);
}

/** A move from its beginning to its end. */
const moved: Path = async ({ kit }) => {
  const id = await start(kit, await raised(kit, CONTRACTS));
  await reaches(kit, id, 'done');
  return { 'plan-moved': id };
};

/** A move that is stopped at once; later another run of it goes on. */
const stopped: Path = async ({ kit }) => {
  const planId = await raised(kit, 3);
  const call = { vendorId: kit.vendorId, planId, moveId: await start(kit, planId) };
  await kit.db.transaction((tx) => stopMove(tx, call));
  const handle = kit.client.workflow.getHandle(call.moveId);
  await eventually(() => handle.result());
  const { runId } = await handle.describe();
  await kit.db.transaction((tx) => resumeMove(tx, call));
  await reaches(kit, call.moveId, 'done');
  return { 'plan-move-stopped': { workflowId: call.moveId, runId } };
};

export const planPaths: readonly Path[] = [moved, stopped];
