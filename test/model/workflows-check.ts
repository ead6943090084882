import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import { DEFAULT_NAMESPACE } from '../../config/launch.ts';
import type { Database } from '../../db/connect.ts';
import { contractsThatNeedAWorkflow } from '../../db/health/contracts.ts';
import type { Servers } from '../support/servers.ts';

/** One running workflow for every contract that has something to come, none for the others. */
export async function workflowsWrong(db: Database, vendorId: string, { temporalAddress }: Servers): Promise<string[]> {
  const needed = new Set(await contractsThatNeedAWorkflow(db));
  const rows = await db.query<{ id: string; status: string }>('select id, status from contract where vendor_id = $1 order by id', [
    vendorId,
  ]);
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const client = new Client({ connection, namespace: DEFAULT_NAMESPACE });
    const problems: string[] = [];
    for (const { id, status } of rows) {
      const running = await statusOf(client, id);
      if ((running === 'RUNNING') !== needed.has(id)) problems.push(`${id} is ${status}, its workflow ${running}`);
    }
    return problems;
  } finally {
    await connection.close();
  }
}

async function statusOf(client: Client, id: string): Promise<string> {
  try {
    return (await client.workflow.getHandle(id).describe()).status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'unknown';
    throw error;
  }
}
