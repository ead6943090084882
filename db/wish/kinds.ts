/**
 * What can be wished for. `start` brings a workflow to life unless it runs already, `wake` tells a running one (or a new one) to look at its
 * rows again. The workflow types and the signal are those of `workflows/messages.ts`; a test compares them.
 */
export const WISHES = {
  start_contract: { workflow: 'contractLifecycle', input: 'contractId', signal: null },
  wake_contract: { workflow: 'contractLifecycle', input: 'contractId', signal: 'wake' },
  start_clock: { workflow: 'clockAdvance', input: 'clockId', signal: null },
  start_payment: { workflow: 'collectPayment', input: 'invoiceId', signal: null },
  wake_payment: { workflow: 'collectPayment', input: 'invoiceId', signal: 'wake' },
} as const satisfies Record<string, { workflow: string; input: string; signal: string | null }>;

export type WishKind = keyof typeof WISHES;
