/**
 * What can be wished for. `start` brings a workflow to life unless it runs already, `wake` tells a running one (or a new one) to look at its
 * rows again. The workflow types and the signal are those of `workflows/messages.ts`; a test compares them. The
 * workflow's id is the business id, with `prefix` where the same id names the workflow of something else too.
 */
export const WISHES = {
  start_contract: { workflow: 'contractLifecycle', input: 'contractId', signal: null, prefix: '' },
  wake_contract: { workflow: 'contractLifecycle', input: 'contractId', signal: 'wake', prefix: '' },
  start_clock: { workflow: 'clockAdvance', input: 'clockId', signal: 'wake', prefix: '' },
  start_payment: { workflow: 'collectPayment', input: 'invoiceId', signal: null, prefix: 'payment:' },
  wake_payment: { workflow: 'collectPayment', input: 'invoiceId', signal: 'wake', prefix: 'payment:' },
  start_detach: { workflow: 'detachMethod', input: 'methodId', signal: null, prefix: 'detach:' },
  start_refund: { workflow: 'refundPayment', input: 'refundId', signal: null, prefix: 'refund:' },
} as const satisfies Record<string, { workflow: string; input: string; signal: string | null; prefix: string }>;

export type WishKind = keyof typeof WISHES;
