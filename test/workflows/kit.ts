import type { Client, Connection } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import pino from 'pino';
import { at } from '../../billing/calendar/instant.ts';
import type { CancelRequest } from '../../billing/contract/change/cancel.ts';
import type { ContractStatus } from '../../billing/contract/types.ts';
import { connect, type Database } from '../../db/connect.ts';
import { noteBegun } from '../../db/sql/outbox/note-begun.ts';
import type { Tx } from '../../db/transaction.ts';
import { sendClock } from '../../services/clock/advance.ts';
import { createClock } from '../../services/clock/create.ts';
import { cancelContract } from '../../services/contract/cancel.ts';
import { type ChangeInput, changeContract } from '../../services/contract/change.ts';
import type { ContractCall } from '../../services/contract/decide.ts';
import { resumeContract } from '../../services/contract/resume.ts';
import { signContract } from '../../services/contract/sign.ts';
import type { SignContractInput } from '../../services/contract/signing.ts';
import { undo } from '../../services/contract/undo.ts';
import { activateCustomer } from '../../services/customer/activate.ts';
import { freezeCustomer } from '../../services/customer/freeze.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { savePlan } from '../../services/plan/save.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { OutboxDispatcher } from '../../temporal/dispatcher.ts';
import { send } from '../../temporal/send.ts';
import { STATE_QUERY, type StateResponse } from '../../workflows/messages.ts';
import { eventually } from '../support/eventually.ts';
import type { Servers } from '../support/servers.ts';
import { type Temporal, temporalAt } from '../support/temporal.ts';
import type { HistoryEvent } from './history.ts';
import { changeTo, flatPlan, NOW, signInput } from './inputs.ts';

export const TASK_QUEUE = 'perennial';

type Addresses = Pick<Servers, 'databaseUrl' | 'temporalAddress'>;

/**
 * What is beneath the API, for stories about workflows and rows: the services as a process of its own calls them, and
 * the messages they leave sent.
 */
export class Kit {
  readonly db: Database;
  readonly client: Client;
  readonly connection: Connection;
  readonly vendorId: string;
  readonly #temporal: Temporal;
  readonly #dispatcher: OutboxDispatcher;
  readonly #taskQueue: string;

  constructor(db: Database, temporal: Temporal, vendorId: string, taskQueue: string) {
    this.db = db;
    this.#temporal = temporal;
    this.connection = temporal.connection;
    this.client = temporal.client;
    this.vendorId = vendorId;
    this.#taskQueue = taskQueue;
    this.#dispatcher = new OutboxDispatcher({ db, client: this.client, taskQueue, log: pino({ level: 'silent' }) });
    db.dispatcher = this.#dispatcher;
  }

  async plan(price: string, options: Parameters<typeof flatPlan>[1] = {}): Promise<string> {
    const plan = flatPlan(price, options);
    await this.db.transaction((tx) => savePlan(tx, this.vendorId, plan, Date.now()));
    return plan.id;
  }

  clock(now: string): Promise<string> {
    return this.db.transaction((tx) => createClock(tx, { vendorId: this.vendorId, name: null, now: at(now) }));
  }

  async customer(clockId: string | null = null): Promise<string> {
    const now = Date.now();
    const customer = { ...blankCustomer(this.vendorId, clockId, now), name: 'Acme', status: 'active' as const };
    await this.db.transaction((tx) => insertCustomer(tx, customer, now));
    return customer.id;
  }

  signInput(customerId: string, planId: string): SignContractInput {
    return signInput(this.vendorId, customerId, planId);
  }

  sign(customerId: string, planId: string, input: Partial<SignContractInput> = {}): Promise<string> {
    return this.db.transaction((tx) => signContract(tx, { ...this.signInput(customerId, planId), ...input }));
  }

  /** Signs without a message to any workflow. */
  signWithoutMessages(customerId: string, planId: string, input: Partial<SignContractInput> = {}): Promise<string> {
    return this.withoutMessages((tx) => signContract(tx, { ...this.signInput(customerId, planId), ...input }));
  }

  /** A transaction whose messages are lost. */
  withoutMessages<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.db.transaction(async (tx) => {
      const result = await work(tx);
      tx.outbox.length = 0;
      return result;
    });
  }

  async advance(clockId: string, to: string): Promise<{ status: string; reason: string | null }> {
    await this.db.transaction((tx) => sendClock(tx, this.vendorId, clockId, at(to)));
    const read = async () => {
      const [row] = await this.db.query<{ status: string; reason: string | null }>('select status, reason from test_clock where id = $1', [
        clockId,
      ]);
      if (row === undefined || row.status === 'advancing') throw new Error(`the clock ${clockId} is still on its way`);
      return row;
    };
    return eventually(read);
  }

  call(contractId: string): ContractCall {
    return { vendorId: this.vendorId, contractId };
  }

  change(contractId: string, planId: string, options: Partial<ChangeInput> = {}): Promise<string> {
    return this.db.transaction((tx) => changeContract(tx, this.call(contractId), changeTo(planId, options), null));
  }

  cancel(contractId: string, when: CancelRequest['when'] = NOW, credit = false): Promise<void> {
    return this.db.transaction((tx) => cancelContract(tx, this.call(contractId), { when, credit, notes: null }));
  }

  undoCancellation(contractId: string): Promise<void> {
    return this.db.transaction((tx) => undo(tx, this.call(contractId), 'cancel_undo'));
  }

  resume(contractId: string): Promise<void> {
    return this.db.transaction((tx) => resumeContract(tx, this.call(contractId)));
  }

  freeze(customerId: string, resumeAt?: number): Promise<void> {
    return this.db.transaction((tx) => freezeCustomer(tx, this.vendorId, customerId, { notes: null, resumeAt }));
  }

  activate(customerId: string): Promise<void> {
    return this.db.transaction((tx) => activateCustomer(tx, this.vendorId, customerId, null));
  }

  /** What the Temporal UI shows under User Metadata, as the workflow tells it now. */
  async details(workflowId: string): Promise<string> {
    const handle = this.client.workflow.getHandle(workflowId);
    const shown = await handle.query<temporal.api.sdk.v1.IWorkflowMetadata>('__temporal_workflow_metadata');
    return shown.currentDetails ?? '';
  }

  async state(contractId: string): Promise<{ status: ContractStatus; idx: number | null; parked: string | null }> {
    const [row] = await this.db.query<Awaited<ReturnType<Kit['state']>>>(
      'select status, current_idx as idx, parked_reason as parked from contract where id = $1',
      [contractId],
    );
    if (row === undefined) throw new Error(`there is no contract ${contractId}`);
    return row;
  }

  invoices(contractId: string): Promise<{ id: string; number: string; date: number; total: string }[]> {
    return this.db.query('select id, number, date, total from invoice where contract_id = $1 order by number', [contractId]);
  }

  /**
   * Has the workflow of a chain look at what is due, and gives what it shows: one that nothing was due for has not run
   * yet, so it answers no query.
   */
  async look(chainId: string): Promise<StateResponse> {
    await this.signal(chainId);
    return eventually(async () => {
      const state = await this.client.workflow.getHandle(chainId).query<StateResponse | null>(STATE_QUERY);
      if (state === null) throw new Error(`${chainId} has not looked yet`);
      return state;
    });
  }

  /**
   * Signals the workflow of a chain, once its messages are sent, and asks it nothing: a query that comes with a task
   * whose step still runs has the worker end the task and begin another.
   */
  async signal(chainId: string): Promise<void> {
    const open = () => this.db.query('select kind from outbox where workflow_id = $1 and sent < wanted', [chainId]);
    await eventually(async () => {
      if ((await open()).length > 0) throw new Error(`${chainId} has not been told yet`);
    });
    await noteBegun(this.db, [chainId]);
    await send(this.client, this.#taskQueue, { kind: 'contract', workflowId: chainId });
  }

  async history(workflowId: string): Promise<HistoryEvent[]> {
    return (await this.client.workflow.getHandle(workflowId).fetchHistory()).events ?? [];
  }

  async close(): Promise<void> {
    await this.#dispatcher.idle();
    await this.#temporal.close();
    await this.db.close();
  }
}

export async function openKit({ databaseUrl, temporalAddress }: Addresses, taskQueue = TASK_QUEUE): Promise<Kit> {
  const db = await connect({ databaseUrl, databasePool: 4 });
  const { vendorId } = await createVendor(db, 'Kit');
  return new Kit(db, temporalAt(temporalAddress), vendorId, taskQueue);
}
