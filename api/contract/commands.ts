import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, Connection } from '@temporalio/client';
import { isGrpcServiceError, WithStartWorkflowOperation, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { Database } from '../../db/connect.ts';
import { keptBody } from '../../db/idempotency/answer.ts';
import { confirmed } from '../../db/wish/confirm.ts';
import { deliverWishes, startOptions } from '../../db/wish/deliver.ts';
import { CONTRACT_WORKFLOW, type Command, type Json, type Operation } from '../../workflows/messages.ts';
import { isDatabaseAway, isTemporalAway, unavailable } from '../http/failure.ts';
import type { IdempotencyRef } from '../http/idempotency.ts';
import { Problem } from '../http/problem.ts';
import { Turns } from './turns.ts';

/** One request to a contract, made by its workflow. */
interface CommandRequest {
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

interface TemporalParts {
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
  const turns = new Turns();
  return {
    carryOut: (request) =>
      turns.take(request.contractId, Date.now() + PATIENCE_MS, async () => {
        await requireOwnContract(db, request);
        const deadline = Date.now() + PATIENCE_MS;
        const updateId = updateIdOf(request.idempotency, deadline);
        const command = commandOf(request, updateId, deadline);
        try {
          const answer = await connection.withDeadline(deadline + GRACE_MS, () =>
            update(client, taskQueue, request, { updateId, command }),
          );
          // not waited for, and where it fails the relay wakes the workflow for nothing
          confirmed(db, { contractId: request.contractId, ...command.answer }).catch(() => undefined);
          return answer;
        } catch (error) {
          return await lastWord(db, command, error);
        }
      }),
    deliver: async (wishIds) => {
      if (wishIds.length === 0) return;
      const { failures } = await connection.withDeadline(Date.now() + DELIVERY_MS, () => deliverWishes(db, client, taskQueue, wishIds));
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** What may still be asked of a contract that is `moved` or `canceled`: its last usage may be open. */
const AFTER_THE_END: ReadonlySet<Operation> = new Set(['close_usage', 'resume']);

/** Before anything is started under an id that isn't ours to ask, or for a contract that can't change any more. */
async function requireOwnContract(db: Database, { vendor, contractId, operation }: CommandRequest): Promise<void> {
  const [row] = await db.query<{ status: string; is_successor: boolean; predecessor_id: string; successor_id: string | null }>(
    'select status, is_successor, predecessor_id, successor_id from contract where vendor_id = $1 and id = $2',
    [vendor, contractId],
  );
  if (row === undefined) throw new Problem('contract_not_found');
  // it has no workflow until its change comes, and a question must not start one
  if (row.is_successor && row.status === 'scheduled') {
    throw new Problem('contract_state', `The contract waits for the change of ${row.predecessor_id}; call that one.`);
  }
  const ended = row.status === 'moved' || row.status === 'canceled';
  if (ended && !AFTER_THE_END.has(operation)) {
    const goesOnAs = row.status === 'moved' && row.successor_id !== null ? `It goes on as ${row.successor_id}; call that one.` : null;
    throw new Problem('contract_not_live', goesOnAs ?? `It is ${row.status}; sign a new one.`);
  }
}

/** Asks the running workflow; one that was lost, has completed, or never started is started with the question. */
async function update(
  client: Client,
  taskQueue: string,
  { contractId, operation }: CommandRequest,
  { updateId, command }: { updateId: string; command: Command },
): Promise<Json> {
  const options = { updateId, args: [command] as [Command] };
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (attempt === 1) return await client.workflow.getHandle(contractId).executeUpdate<Json, [Command]>(operation, options);
      const startWorkflowOperation = new WithStartWorkflowOperation(
        CONTRACT_WORKFLOW,
        startOptions('start_contract', contractId, taskQueue),
      );
      return await client.workflow.executeUpdateWithStart<() => Promise<void>, Json, [Command]>(operation, {
        ...options,
        startWorkflowOperation,
      });
    } catch (error) {
      if (Date.now() > command.deadline || !isLeftBehind(error)) throw error;
      // at once first: a run that ended needs no time; a server that comes back does
      if (attempt > 1) await pause(Math.min(25 * 2 ** attempt, LOOK_AGAIN_MS));
    }
  }
}

const FAILED_PRECONDITION = 9;
/** The server's words for an Update whose run ended before it was answered. */
const LEFT_BEHIND = new Set(['UnprocessedUpdate', 'AcceptedUpdateCompletedWorkflow']);

/** The run was over, ended meanwhile, lost its step to another message, or has a failed task to repeat: asked again, the Update finds its answer kept or is carried out. */
function isLeftBehind(error: unknown): boolean {
  if (error instanceof WorkflowNotFoundError) return true;
  const { cause } = error as { cause?: unknown };
  if (error instanceof WorkflowUpdateFailedError) return cause instanceof ApplicationFailure && LEFT_BEHIND.has(cause.type ?? '');
  return [error, cause].some((one) => isGrpcServiceError(one) && one.code === FAILED_PRECONDITION);
}

const LOOK_AGAIN_MS = 200;

/**
 * What is answered when the connection to Temporal broke, or every run the command came to was over: it may still be carried out until its
 * deadline, so its answer is looked for that long in Postgres, also where that is away for a while. Only then a 503 is final. What never left
 * is refused at once.
 */
async function lastWord(db: Database, { answer, deadline }: Command, error: unknown): Promise<Json> {
  if (!(isTemporalAway(error) || isLeftBehind(error)) || isNeverSent(error)) throw error;
  for (;;) {
    const isLast = Date.now() > deadline;
    const body = await keptBody(db, answer).catch((lost: unknown) => {
      if (isLast || !isDatabaseAway(lost)) throw lost;
      return undefined;
    });
    if (body !== undefined) return JSON.parse(body) as Json;
    if (isLast) throw unavailable(error);
    await pause(LOOK_AGAIN_MS);
  }
}

const isNeverSent = (error: unknown): boolean => String((error as { cause?: unknown }).cause ?? error).includes('ECONNREFUSED');

const commandOf = (request: CommandRequest, updateId: string, deadline: number): Command => {
  const { vendor, operation, idempotency, apiKeyId, status } = request;
  return {
    vendorId: vendor,
    request: request.request as Json,
    deadline,
    answer: idempotency ?? { vendorId: vendor, operation: `update ${operation}`, key: updateId, bodyHash: '' },
    claimed: idempotency !== null,
    status: status ?? 200,
    keyId: apiKeyId === '' ? null : apiKeyId,
  };
};

/**
 * Within one run the server answers an id it knows with its first outcome, also a refusal that has passed since (a clock that moved, a deadline):
 * so each sending of a request has an id of its own, and the stored answer keeps its effect from being made twice.
 */
const updateIdOf = (reference: IdempotencyRef | null, deadline: number): string =>
  reference === null
    ? randomUUID()
    : createHash('sha256')
        .update(JSON.stringify([reference.vendorId, reference.operation, reference.key, deadline]))
        .digest('hex');
