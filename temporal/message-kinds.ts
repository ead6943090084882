import type { Tx } from '../db/transaction.ts';

/** What a message can start or signal: one kind for each workflow type. */
interface MessageKind {
  /** the workflow type, as `workflows/index.ts` exports it */
  readonly workflow: string;
  /** the prefix of the business id in the workflow's id */
  readonly prefix: string;
  /** the name of the business id in the workflow's input; null: it takes none */
  readonly input: string | null;
  /** what the Temporal UI says of the workflow */
  readonly summary: string;
  /** of its tasks among all that wait for a worker: 1 goes first, 5 last */
  readonly priority: number;
  /** nobody waits for it: callers who wait for a connection go first */
  readonly canWait: boolean;
}

export const MESSAGE_KINDS = {
  contract: {
    workflow: 'contractLifecycle',
    prefix: '',
    input: 'chainId',
    summary: 'Keeps time for a contract and those it is changed into',
    // a herd's wake-ups let everything else go first
    priority: 4,
    canWait: true,
  },
  customer: {
    workflow: 'customerLifecycle',
    prefix: 'customer:',
    input: 'customerId',
    summary: 'Keeps time for what is due of a customer',
    priority: 3,
    canWait: true,
  },
  clock: {
    workflow: 'clockAdvance',
    prefix: '',
    input: 'clockId',
    summary: 'Moves a test clock, instant by instant',
    priority: 2,
    canWait: false,
  },
  plan_move: {
    workflow: 'planMove',
    prefix: '',
    input: 'moveId',
    summary: 'Moves the contracts of a plan, one after the other',
    priority: 5,
    canWait: false,
  },
  bill_run: {
    workflow: 'billRun',
    prefix: 'billRun',
    input: null,
    summary: 'Bills contracts that are due together',
    priority: 1,
    canWait: false,
  },
  import: {
    workflow: 'bookImport',
    prefix: '',
    input: 'importId',
    summary: 'Imports a book of customers, some lines at a time',
    priority: 5,
    canWait: false,
  },
  payment: {
    workflow: 'payAttempt',
    prefix: 'payment:',
    input: 'attemptId',
    summary: 'Carries out one attempt to pay an invoice',
    priority: 2,
    canWait: false,
  },
  detach: {
    workflow: 'detachMethod',
    prefix: 'detach:',
    input: 'methodId',
    summary: 'Detaches a payment method at its provider',
    priority: 3,
    canWait: false,
  },
  refund: {
    workflow: 'refundPayment',
    prefix: 'refund:',
    input: 'refundId',
    summary: 'Gives money back through the provider',
    priority: 3,
    canWait: false,
  },
  webhook: {
    workflow: 'webhookEndpoint',
    prefix: '',
    input: 'endpointId',
    summary: 'Delivers events to an endpoint',
    // before the wake-ups of a herd, whose news it delivers
    priority: 3,
    canWait: false,
  },
} as const satisfies Record<string, MessageKind>;

export type MessageKindName = keyof typeof MESSAGE_KINDS;

/** The id of the workflow of a business id. @example workflowIdOf('payment', 'Pay_1') // 'payment:Pay_1' */
export const workflowIdOf = (kind: MessageKindName, businessId: string): string => `${MESSAGE_KINDS[kind].prefix}${businessId}`;

const WAITING = ['customer', 'payment', 'refund', 'detach'] as const;

/**
 * The kind of message for a workflow that waits for something due: one of an agenda row, of an attempt, a refund or a
 * method to detach.
 */
export const kindOfWaiting = (workflowId: string): MessageKindName =>
  WAITING.find((kind) => workflowId.startsWith(MESSAGE_KINDS[kind].prefix)) ?? 'contract';

/** What a workflow is started with. */
export function inputOf(kind: MessageKindName, workflowId: string): Record<string, string>[] {
  const { input, prefix } = MESSAGE_KINDS[kind];
  return input === null ? [] : [{ [input]: workflowId.slice(prefix.length) }];
}

/**
 * After this transaction's commit, signals a workflow that its facts have changed; it is started where it doesn't run.
 */
export function enqueue(tx: Tx, kind: MessageKindName, businessId: string): void {
  tx.outbox.push({ kind, workflowId: workflowIdOf(kind, businessId) });
}

/** The same for a workflow that waits for something due. */
export function enqueueWaiting(tx: Tx, workflowId: string): void {
  tx.outbox.push({ kind: kindOfWaiting(workflowId), workflowId });
}
