// What the worker bundles: every workflow, under the name it is started by.
export { clockAdvance } from './clock/clock.workflow.ts';
export { contractLifecycle } from './contract/contract.workflow.ts';
export { collectPayment } from './payment/collect-payment.workflow.ts';
export { detachMethod, refundPayment } from './payment/errands.workflow.ts';
