import type { Client, Connection } from '@temporalio/client';
import type { Database } from '../db/connect.ts';
import { advancingClocks, contractsThatNeedAWorkflow, invoicesThatNeedAWorkflow } from '../db/health/contracts.ts';
import { startOptions } from '../db/wish/deliver.ts';
import { WISHES, type WishKind } from '../db/wish/kinds.ts';
import { registerSearchAttributes } from './search-attributes.ts';

interface Reconciled {
  attributes: string[];
  contracts: number;
  clocks: number;
  payments: number;
}

const AT_ONCE = 20;

/**
 * Gives everything that needs a workflow its workflow, from what Postgres says alone: after the loss of a namespace, a restore, or when in doubt.
 * One that runs already goes on undisturbed.
 */
export async function reconcile(db: Database, client: Client, connection: Connection, taskQueue: string): Promise<Reconciled> {
  const attributes = await registerSearchAttributes(connection, client.options.namespace);
  const start = (kind: WishKind, ids: readonly string[]): Promise<number> => startAll(client, taskQueue, kind, ids);
  return {
    attributes,
    contracts: await start('start_contract', await contractsThatNeedAWorkflow(db)),
    clocks: await start('start_clock', await advancingClocks(db)),
    payments: await start('start_payment', await invoicesThatNeedAWorkflow(db)),
  };
}

async function startAll(client: Client, taskQueue: string, kind: WishKind, ids: readonly string[]): Promise<number> {
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const batch = ids.slice(from, from + AT_ONCE);
    await Promise.all(batch.map((id) => client.workflow.start(WISHES[kind].workflow, startOptions(kind, id, taskQueue))));
  }
  return ids.length;
}
