// Every workflow that the worker bundles, under the name it is started by.
export { billRun } from './bill-run/bill-run.workflow.ts';
export { clockAdvance } from './clock/clock.workflow.ts';
export { contractLifecycle } from './contract/contract.workflow.ts';
export { customerLifecycle } from './customer/customer.workflow.ts';
export { bookImport } from './import/import.workflow.ts';
export { payAttempt } from './payment/pay-attempt.workflow.ts';
export { detachMethod, refundPayment } from './payment/provider-requests.workflow.ts';
export { planMove } from './plan-move/plan-move.workflow.ts';
export { webhookEndpoint } from './webhook/endpoint.workflow.ts';
