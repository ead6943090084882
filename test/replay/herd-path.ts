import { HOUR } from '../../billing/calendar/instant.ts';
import { eventually } from '../support/eventually.ts';
import { stepsOf } from '../workflows/history.ts';
import { inSecondPeriod } from './contract-paths.ts';
import type { Path } from './path.ts';

/** More than make a herd. */
const HERD = 80;

/** Contracts that are due together: a bill run, and a chain that leaves its contract to it. */
export const herdPath: Path = async ({ kit }) => {
  const plan = await kit.plan('1.00', { cycle: 'hour' });
  const began = Date.now();
  await kit.sign(await kit.customer(), plan, { activation: began - HOUR / 2 });
  const activation = began + 10_000 + HERD * (Date.now() - began) - HOUR;
  const ids: string[] = [];
  while (ids.length < HERD) ids.push(await kit.sign(await kit.customer(), plan, { activation }));
  for (const id of ids) await inSecondPeriod(kit, id);
  const left = await eventually(async () => {
    for (const id of ids) if (stepsOf(await kit.history(id)).some(({ schedule }) => schedule.isLeft)) return id;
    throw new Error('no chain has left its contract to the bill run');
  });
  return { 'bill-run': 'billRun', 'left-to-the-bill-run': { workflowId: left, mustHold: 'rollOverCycle' } };
};
