import type { Client } from '@temporalio/client';
import { type Command, print } from './command.ts';
import { type Check, doctorChecks } from './doctor-checks.ts';
import { withDatabase } from './with-database.ts';
import { withTemporal } from './with-temporal.ts';

export const doctorCommand: Command = {
  usage: 'doctor',
  does: 'looks for what should not be: overdue agenda rows, missing workflows, wrong sums, open migrations',
  run: () =>
    withDatabase((db, config) => withTemporal(config, (client) => report(doctorChecks(db, (ids) => withoutRunningWorkflow(client, ids))))),
};

/** Prints a line per check and what was found; the exit code says whether all is well. */
async function report(checks: readonly Check[]): Promise<number> {
  let failed = 0;
  for (const { asks, remedy, findings } of checks) {
    const found = await findings();
    print(`${found.length === 0 ? 'ok  ' : 'BAD '} ${asks}`);
    for (const line of found) print(`       ${line}`);
    if (found.length === 0) continue;
    print(`     → ${remedy}`);
    failed += 1;
  }
  return failed === 0 ? 0 : 1;
}

/** The list of workflows lags a little behind, so that what is missing in it is asked for one by one. */
async function withoutRunningWorkflow(client: Client, ids: readonly string[]): Promise<string[]> {
  const listed = new Set<string>();
  for await (const { workflowId } of client.workflow.list({ query: `ExecutionStatus = 'Running'` })) listed.add(workflowId);
  const missing: string[] = [];
  for (const id of ids) {
    if (!listed.has(id) && !(await isRunning(client, id))) missing.push(id);
  }
  return missing;
}

async function isRunning(client: Client, workflowId: string): Promise<boolean> {
  try {
    return (await client.workflow.getHandle(workflowId).describe()).status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowNotFoundError') return false;
    throw error;
  }
}
