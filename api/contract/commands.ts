import { createHash, randomUUID } from 'node:crypto';
import type { Client, Connection } from '@temporalio/client';
import { WithStartWorkflowOperation, WorkflowNotFoundError } from '@temporalio/client';
import type { Database } from '../../db/connect.ts';
import { deliverWishes, startOptions } from '../../db/wish/deliver.ts';
import { CONTRACT_WORKFLOW, type Command, type Json, type Operation } from '../../workflows/messages.ts';
import type { IdempotencyRef } from '../http/idempotency.ts';
import { Problem } from '../http/problem.ts';

/** One request to a contract, made by its workflow. */
export interface CommandRequest {
  readonly vendor: string;
  readonly contractId: string;
  readonly operation: Operation;
  readonly request: object;
  readonly idempotency: IdempotencyRef | null;
  readonly apiKeyId: string;
  /** status of the answer, stored with it */
  readonly status?: number;
}

/** What the API asks of workflows. */
export interface ContractCommands {
  /** Answers after the effect is committed and readable. Throws the refusal, or what says that Temporal is away: then nothing was done. */
  carryOut(request: CommandRequest): Promise<Json>;
  /** Delivers wishes just committed; throws when they are left to the relay. */
  deliver(wishIds: readonly string[]): Promise<void>;
}

export interface TemporalParts {
  readonly db: Database;
  readonly client: Client;
  readonly connection: Connection;
  readonly taskQueue: string;
}

const PATIENCE_MS = 10_000;
/** The caller hears of a passed deadline from the activity, so we wait a little longer than it. */
const GRACE_MS = 2_000;
const DELIVERY_MS = 2_000;

export function temporalCommands({ db, client, connection, taskQueue }: TemporalParts): ContractCommands {
  return {
    carryOut: async (request) => {
      await requireOwnContract(db, request);
      const deadline = Date.now() + PATIENCE_MS;
      return connection.withDeadline(deadline + GRACE_MS, () => update(client, taskQueue, request, deadline));
    },
    deliver: async (wishIds) => {
      if (wishIds.length === 0) return;
      await connection.withDeadline(Date.now() + DELIVERY_MS, () => deliverWishes(db, client, taskQueue, wishIds));
    },
  };
}

/** Before anything is started under an id that isn't ours to ask. */
async function requireOwnContract(db: Database, { vendor, contractId }: CommandRequest): Promise<void> {
  const rows = await db.query('select id from contract where vendor_id = $1 and id = $2', [vendor, contractId]);
  if (rows.length === 0) throw new Problem('contract_not_found');
}

/** Asks the running workflow; one that was lost, or never started, is started with the question. */
async function update(client: Client, taskQueue: string, request: CommandRequest, deadline: number): Promise<Json> {
  const { contractId, operation } = request;
  const options = { updateId: updateIdOf(request.idempotency), args: [commandOf(request, deadline)] as [Command] };
  try {
    return await client.workflow.getHandle(contractId).executeUpdate<Json, [Command]>(operation, options);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
  const startWorkflowOperation = new WithStartWorkflowOperation(CONTRACT_WORKFLOW, startOptions('start_contract', contractId, taskQueue));
  return client.workflow.executeUpdateWithStart<() => Promise<void>, Json, [Command]>(operation, { ...options, startWorkflowOperation });
}

const commandOf = ({ vendor, request, idempotency, apiKeyId, status }: CommandRequest, deadline: number): Command => ({
  vendorId: vendor,
  request: request as Json,
  deadline,
  answer: idempotency,
  status: status ?? 200,
  keyId: apiKeyId === '' ? null : apiKeyId,
});

/** Update ids dedupe within one run only; the stored answer does the rest. */
const updateIdOf = (reference: IdempotencyRef | null): string =>
  reference === null
    ? randomUUID()
    : createHash('sha256')
        .update(JSON.stringify([reference.vendorId, reference.operation, reference.key]))
        .digest('hex');
