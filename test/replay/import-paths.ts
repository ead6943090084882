import { lineFromWire } from '../../api/wire/import-line.ts';
import { Import } from '../../db/entities/import.ts';
import { addLines, createImport, type ImportCall } from '../../services/import/create.ts';
import { resumeImport, startImport, stopImport } from '../../services/import/start.ts';
import { savePlan } from '../../services/plan/save.ts';
import { eventually } from '../support/eventually.ts';
import { flatPlan } from '../workflows/inputs.ts';
import type { Kit } from '../workflows/kit.ts';
import type { Path } from './path.ts';

/** An import of customers, each with a contract in its trial. */
async function loaded({ db, vendorId }: Kit, customers: number): Promise<ImportCall> {
  const plan = flatPlan('10.00');
  await db.transaction((tx) => savePlan(tx, vendorId, plan, Date.now()));
  const trial_end = new Date(Date.now() + 86_400_000).toISOString();
  const lines = Array.from({ length: customers }, (_, n) => [
    { type: 'customer', ref: `cus_${n}` },
    { type: 'contract', ref: `sub_${n}`, customer: `cus_${n}`, plan: plan.id, currency: 'usd', cycle: 'month', trial_end },
  ]).flat();
  const importId = await db.transaction((tx) => createImport(tx, vendorId));
  const read = lines.map((line, index) => lineFromWire(vendorId, { number: index + 1, line }));
  await db.transaction((tx) => addLines(tx, { vendorId, importId }, read));
  return { vendorId, importId };
}

const isDone = ({ db }: Kit, importId: string): Promise<void> =>
  eventually(async () => {
    const { status } = await db.em().findOneOrFail(Import, { id: importId });
    if (status !== 'done') throw new Error(`the import is ${status}`);
  });

/** An import from its beginning to its end. */
const imported: Path = async ({ kit }) => {
  const call = await loaded(kit, 3);
  await kit.db.transaction((tx) => startImport(tx, call));
  await isDone(kit, call.importId);
  return { imported: call.importId };
};

/** An import that is stopped at once; later another run of it goes on. */
const stopped: Path = async ({ kit }) => {
  const call = await loaded(kit, 3);
  await kit.db.transaction(async (tx) => {
    await startImport(tx, call);
    await stopImport(tx, call);
  });
  const handle = kit.client.workflow.getHandle(call.importId);
  await eventually(() => handle.result());
  const { runId } = await handle.describe();
  await kit.db.transaction((tx) => resumeImport(tx, call));
  await isDone(kit, call.importId);
  return { 'import-stopped': { workflowId: call.importId, runId } };
};

export const importPaths: readonly Path[] = [imported, stopped];
