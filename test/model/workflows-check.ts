import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Database } from '../../db/connect.ts';
import { chainsThatNeedAWorkflow, customersThatNeedAWorkflow } from '../../db/health/contracts.ts';
import { workflowIdOf } from '../../temporal/message-kinds.ts';
import type { Servers } from '../support/servers.ts';
import { temporalAt } from '../support/temporal.ts';

interface Expected {
  workflowId: string;
  isNeeded: boolean;
  about: string;
}

/**
 * One running workflow for every chain of contracts and every customer that has something to come, none for the others,
 * none for a contract that follows one.
 */
export async function workflowsWrong(db: Database, vendorId: string, { temporalAddress }: Servers): Promise<string[]> {
  const expected = await expectedOf(db, vendorId);
  const { client, close } = temporalAt(temporalAddress);
  try {
    const problems: string[] = [];
    for (const { workflowId, isNeeded, about } of expected) {
      const running = await statusOf(client, workflowId);
      if ((running === 'RUNNING') !== isNeeded) problems.push(`${about}, its workflow ${workflowId} ${running}`);
    }
    return problems;
  } finally {
    await close();
  }
}

async function expectedOf(db: Database, vendorId: string): Promise<Expected[]> {
  const chains = new Set(await chainsThatNeedAWorkflow(db));
  const busy = new Set(await customersThatNeedAWorkflow(db));
  const contracts = await db.query<{ id: string; root_id: string; status: string }>(
    'select id, root_id, status from contract where vendor_id = $1 order by id',
    [vendorId],
  );
  const customers = await db.query<{ id: string }>('select id from customer where vendor_id = $1 order by id', [vendorId]);
  return [
    ...contracts.map(({ id, root_id, status }) => ({
      workflowId: id,
      isNeeded: id === root_id && chains.has(id),
      about: `${id} is ${status}`,
    })),
    ...customers.map(({ id }) => ({ workflowId: workflowIdOf('customer', id), isNeeded: busy.has(id), about: id })),
  ];
}

async function statusOf(client: Client, id: string): Promise<string> {
  try {
    return (await client.workflow.getHandle(id).describe()).status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'unknown';
    throw error;
  }
}
