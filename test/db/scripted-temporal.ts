import { type Client, WorkflowIdConflictPolicy, type WorkflowSignalWithStartOptions } from '@temporalio/client';
import { eventually } from '../support/eventually.ts';

/** What the SDK throws for a call that failed. */
const grpcError = (code: number, details: string): Error =>
  new Error('Failed to signal a workflow', { cause: Object.assign(new Error(`${code} ${details}`), { code, details, metadata: {} }) });

const [INVALID_ARGUMENT, DEADLINE_EXCEEDED] = [3, 4];

/** The part of Temporal that a dispatcher calls, with scripted answers. */
export class ScriptedTemporal {
  /** ids of workflows that were to be signalled, in order */
  readonly asked: string[] = [];
  /** those that were */
  readonly taken: string[] = [];
  /** those of them whose run was ended for another */
  readonly replaced: string[] = [];
  readonly #refused = new Set<string>();
  readonly #held = new Map<string, Promise<void>>();
  #isAway = false;

  readonly client = {
    connection: { withDeadline: (_deadline: number, work: () => unknown) => work() },
    workflow: {
      signalWithStart: async (_type: string, { workflowId, workflowIdConflictPolicy }: WorkflowSignalWithStartOptions) => {
        this.asked.push(workflowId);
        if (this.#isAway) throw grpcError(DEADLINE_EXCEEDED, 'Deadline exceeded');
        if (this.#refused.has(workflowId)) throw grpcError(INVALID_ARGUMENT, 'WorkflowId is not valid');
        await this.#held.get(workflowId);
        this.taken.push(workflowId);
        if (workflowIdConflictPolicy === WorkflowIdConflictPolicy.TERMINATE_EXISTING) this.replaced.push(workflowId);
      },
    },
  } as unknown as Client;

  refuses(workflowId: string): void {
    this.#refused.add(workflowId);
  }

  isAway(): void {
    this.#isAway = true;
  }

  takesAll(): void {
    this.#isAway = false;
    this.#refused.clear();
  }

  /** Answers for this workflow wait until the function it gives is called. */
  holds(workflowId: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held.set(workflowId, promise);
    return resolve;
  }

  async isAsked(workflowId: string): Promise<void> {
    await eventually(() => expect(this.asked).toContain(workflowId), { every: 5 });
  }
}
