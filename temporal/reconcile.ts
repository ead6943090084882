import type { Client, Connection } from '@temporalio/client';
import type { Instant } from '../billing/calendar/instant.ts';
import type { Database, Queryable } from '../db/connect.ts';
import {
  advancingClocks,
  attemptsThatNeedAWorkflow,
  chainsThatNeedAWorkflow,
  customersThatNeedAWorkflow,
  methodsToDetach,
  pendingRefunds,
  runningImports,
  runningPlanMoves,
} from '../db/health/contracts.ts';
import { endpointsThatNeedAWorkflow } from '../db/health/webhooks.ts';
import { noteBegun } from '../db/sql/outbox/note-begun.ts';
import type { WorkflowMessage } from '../db/transaction.ts';
import { MESSAGE_KINDS, type MessageKindName, workflowIdOf } from './message-kinds.ts';
import { notRunning, startedSince } from './running.ts';
import { missingSearchAttributes, registerSearchAttributes } from './search-attributes.ts';
import { send } from './send.ts';
import { startsOf, type WorkflowStart } from './start.ts';

/**
 * The business ids that need a workflow, by kind of message, read from Postgres alone. A bill run is started by the
 * chains that are due.
 */
const NEEDED: Readonly<Record<MessageKindName, (db: Queryable) => Promise<string[]>>> = {
  contract: chainsThatNeedAWorkflow,
  customer: customersThatNeedAWorkflow,
  clock: advancingClocks,
  plan_move: runningPlanMoves,
  import: runningImports,
  bill_run: async () => [],
  payment: attemptsThatNeedAWorkflow,
  detach: methodsToDetach,
  refund: pendingRefunds,
  webhook: endpointsThatNeedAWorkflow,
};

interface Reconciled {
  attributes: string[];
  sent: { kind: MessageKindName; count: number }[];
}

/** How many of a kind have been signalled. */
export type Progress = (kind: MessageKindName, signalled: number, total: number) => void;

const AT_ONCE = 20;

/**
 * Signals every workflow that is needed, and starts those that don't run: after the loss of a namespace, a restore, or
 * when in doubt. A workflow that runs already reads its facts once more and goes on.
 */
export async function reconcile(
  db: Database,
  client: Client,
  connection: Connection,
  taskQueue: string,
  signalled: Progress = () => undefined,
): Promise<Reconciled> {
  const attributes = await registerSearchAttributes(connection, client.options.namespace);
  const sent: Reconciled['sent'] = [];
  for (const kind of KINDS) {
    const ids = await NEEDED[kind](db);
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      signalled(kind, from, ids.length);
      const some = ids.slice(from, from + AT_ONCE);
      if (kind === 'contract') await noteBegun(db, some);
      const messages = some.map((id) => ({ kind, workflowId: workflowIdOf(kind, id) }));
      const starts = await startsAgain(db, messages);
      await Promise.all(messages.map((message) => send(client, taskQueue, message, starts.get(message.workflowId) ?? null)));
    }
    sent.push({ kind, count: ids.length });
  }
  return { attributes, sent };
}

/** How many contracts have got a new run, of how many. */
export type Restarts = (restarted: number, total: number) => void;

/**
 * Ends the runs of contracts' workflows and starts new ones, twenty at a time, so that workers with another code carry
 * them out from the start instead of replaying what the old one recorded. A run does nothing but database steps that
 * may be repeated, so it can be ended at any moment. All other kinds are left alone: those of attempts, refunds,
 * webhooks and customers (e-mails) may be in a call to the outside, and those of clocks, imports and plan moves end
 * soon. Broken off, it goes on when it is called with the same instant.
 *
 * @param before runs that began at this instant or later stay, by the clock of the Temporal server
 * @returns how many have got a new run
 */
export async function restartContracts(
  db: Database,
  client: Client,
  taskQueue: string,
  before: Instant,
  restarted: Restarts = () => undefined,
): Promise<number> {
  const fresh = await startedSince(client, MESSAGE_KINDS.contract.workflow, before);
  const ids = (await NEEDED.contract(db)).filter((id) => !fresh.has(id));
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    restarted(from, ids.length);
    const some = ids.slice(from, from + AT_ONCE);
    await noteBegun(db, some);
    const messages = some.map((workflowId) => ({ kind: 'contract' as const, workflowId }));
    const starts = await startsAgain(db, messages);
    await Promise.all(messages.map((message) => send(client, taskQueue, message, starts.get(message.workflowId) ?? null, 'is ended')));
  }
  return ids.length;
}

/** Starts of runs whose first look lists the latest events: the Temporal UI shows each run by itself. */
async function startsAgain(db: Database, messages: readonly WorkflowMessage[]): Promise<Map<string, WorkflowStart>> {
  const starts = await startsOf(db, messages);
  return new Map([...starts].map(([workflowId, start]) => [workflowId, { ...start, seen: null }]));
}

const KINDS = Object.keys(MESSAGE_KINDS) as MessageKindName[];

interface Plan {
  attributes: string[];
  needed: { kind: MessageKindName; count: number; missing: string[] }[];
}

/**
 * What `reconcile` would do: the attributes it would register, how many workflows of each kind are needed, and the ids
 * of those that don't run.
 */
export async function planReconcile(db: Database, client: Client, connection: Connection): Promise<Plan> {
  const attributes = await missingSearchAttributes(connection, client.options.namespace);
  const ids = new Map<MessageKindName, string[]>();
  for (const kind of KINDS)
    ids.set(
      kind,
      (await NEEDED[kind](db)).map((id) => workflowIdOf(kind, id)),
    );
  const missing = new Set(await notRunning(client, [...ids.values()].flat()));
  const needed = KINDS.map((kind) => {
    const all = ids.get(kind) ?? [];
    return { kind, count: all.length, missing: all.filter((id) => missing.has(id)) };
  });
  return { attributes, needed };
}
