import type { Client, Connection } from '@temporalio/client';
import type { Database, Queryable } from '../db/connect.ts';
import {
  advancingClocks,
  attemptsThatNeedAWorkflow,
  chainsThatNeedAWorkflow,
  customersThatNeedAWorkflow,
  methodsToDetach,
  openRefunds,
} from '../db/health/contracts.ts';
import { subjectsOf } from '../db/outbox/subjects.ts';
import { MESSAGE_KINDS, type MessageKindName, workflowIdOf } from './message-kinds.ts';
import { registerSearchAttributes } from './search-attributes.ts';
import { send } from './send.ts';

/** Who needs a workflow of each kind, by business id, from what Postgres says alone. A bill run is started by the chains that are due. */
const NEEDED: Readonly<Record<MessageKindName, (db: Queryable) => Promise<string[]>>> = {
  contract: chainsThatNeedAWorkflow,
  customer: customersThatNeedAWorkflow,
  clock: advancingClocks,
  bill_run: async () => [],
  payment: attemptsThatNeedAWorkflow,
  detach: methodsToDetach,
  refund: openRefunds,
};

interface Reconciled {
  attributes: string[];
  sent: { kind: MessageKindName; count: number }[];
}

const AT_ONCE = 20;

/**
 * Tells everything that needs a workflow, and starts what doesn't run: after the loss of a namespace, a restore, or when in doubt. One that runs already
 * reads its facts once more and goes on.
 */
export async function reconcile(db: Database, client: Client, connection: Connection, taskQueue: string): Promise<Reconciled> {
  const attributes = await registerSearchAttributes(connection, client.options.namespace);
  const sent: Reconciled['sent'] = [];
  for (const kind of Object.keys(MESSAGE_KINDS) as MessageKindName[]) {
    const ids = await NEEDED[kind](db);
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const messages = ids.slice(from, from + AT_ONCE).map((id) => ({ kind, workflowId: workflowIdOf(kind, id) }));
      const subjects = await subjectsOf(db, messages);
      await Promise.all(messages.map((message) => send(client, taskQueue, message, subjects.get(message.workflowId) ?? null)));
    }
    sent.push({ kind, count: ids.length });
  }
  return { attributes, sent };
}
