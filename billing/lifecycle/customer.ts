import type { Machine } from './machine.ts';

/** The states of a customer (in the API: its `status`). */
export type CustomerState = 'active' | 'inactive' | 'temporary';

/** What can happen to a customer: `freeze` is the inactivate endpoint. */
export type CustomerTrigger = 'activate' | 'freeze';

/**
 * A customer's lifecycle. A frozen customer takes no freeze and an active one no activation: those requests change
 * nothing.
 */
export const customerMachine: Machine<CustomerState, CustomerTrigger, 'temporary', 'create'> = {
  name: 'customer',
  states: {
    temporary: 'created, registration not completed; not charged',
    active: 'billed and charged',
    inactive: 'frozen: read-only, every contract pauses',
  },
  starts: [{ event: 'create', to: 'temporary', text: 'created' }],
  transitions: [
    { from: 'temporary', trigger: 'activate', to: 'active' },
    { from: 'temporary', trigger: 'freeze', to: 'inactive' },
    { from: 'active', trigger: 'freeze', to: 'inactive' },
    { from: 'inactive', trigger: 'activate', to: 'active' },
  ],
};
