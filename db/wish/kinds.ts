/**
 * What can be wished for. `start` brings a workflow to life unless it runs already, `wake` tells a running one (or a new one) to look at its
 * rows again. The workflow types and the signal are those of `workflows/messages.ts`; a test compares them. The
 * workflow's id is the business id, with `prefix` where the same id names the workflow of something else too; `does` is what the Temporal UI
 * says of it. `confirm_contract` is a wake for the case that the workflow never hears of its own step, see `confirm.ts`.
 */
export const WISHES = {
  start_contract: {
    workflow: 'contractLifecycle',
    does: 'Bills one contract, period after period',
    input: 'contractId',
    signal: null,
    prefix: '',
  },
  wake_contract: {
    workflow: 'contractLifecycle',
    does: 'Bills one contract, period after period',
    input: 'contractId',
    signal: 'wake',
    prefix: '',
  },
  confirm_contract: {
    workflow: 'contractLifecycle',
    does: 'Bills one contract, period after period',
    input: 'contractId',
    signal: 'wake',
    prefix: '',
  },
  start_clock: { workflow: 'clockAdvance', does: 'Moves a test clock, instant by instant', input: 'clockId', signal: 'wake', prefix: '' },
  start_payment: {
    workflow: 'collectPayment',
    does: 'Collects one invoice, with retries',
    input: 'invoiceId',
    signal: null,
    prefix: 'payment:',
  },
  wake_payment: {
    workflow: 'collectPayment',
    does: 'Collects one invoice, with retries',
    input: 'invoiceId',
    signal: 'wake',
    prefix: 'payment:',
  },
  start_detach: {
    workflow: 'detachMethod',
    does: 'Detaches a payment method at its provider',
    input: 'methodId',
    signal: null,
    prefix: 'detach:',
  },
  start_refund: {
    workflow: 'refundPayment',
    does: 'Gives money back through the provider',
    input: 'refundId',
    signal: null,
    prefix: 'refund:',
  },
} as const satisfies Record<string, { workflow: string; does: string; input: string; signal: string | null; prefix: string }>;

export type WishKind = keyof typeof WISHES;
