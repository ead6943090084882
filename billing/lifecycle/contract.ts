import type { ContractStatus } from '../contract/types.ts';
import type { Guard, Machine } from './machine.ts';

/** What can happen to a contract. */
export type ContractTrigger =
  | 'first_step_committed'
  | 'activate'
  | 'activation_reached'
  | 'take_over'
  | 'change'
  | 'cancel'
  | 'replace'
  | 'expire';

/** What makes a contract. */
export type ContractEvent = 'sign' | 'change' | 'replace_unstarted';

/** The guards of the contract's table, by name. */
const contractGuards = {
  isPending: { name: 'isPending', text: 'made with is_pending' },
  activationAhead: { name: 'activationAhead', text: 'the activation lies ahead' },
  activationReached: { name: 'activationReached', text: 'the activation is reached' },
} satisfies Record<string, Guard>;

const { isPending, activationAhead, activationReached } = contractGuards;

/**
 * A contract's lifecycle (in the API: `ContractStatus`). Canceled also stands for replaced and expired contracts. The
 * first period of an active contract, its rollovers and the end of its trial change no status.
 */
export const contractMachine: Machine<ContractStatus, ContractTrigger, 'not_ready' | 'pending' | 'scheduled', ContractEvent> = {
  name: 'contract',
  states: {
    not_ready: 'signed, its first step is not committed yet',
    pending: 'made with is_pending, waits to be activated',
    scheduled: 'activation lies ahead, or it waits for a change to take effect',
    active: 'bills',
    moved: 'changed into another contract',
    canceled: 'canceled, expired, or replaced before it began',
  },
  starts: [
    { event: 'sign', to: 'not_ready', text: 'signed' },
    { event: 'change', to: 'scheduled', text: 'change of an active contract' },
    { event: 'replace_unstarted', to: 'pending', guard: isPending, text: 'change of a pending contract' },
    { event: 'replace_unstarted', to: 'scheduled', guard: activationAhead, text: 'change of a scheduled contract' },
  ],
  transitions: [
    { from: 'not_ready', trigger: 'first_step_committed', to: 'pending', guard: isPending },
    { from: 'not_ready', trigger: 'first_step_committed', to: 'scheduled', guard: activationAhead },
    { from: 'not_ready', trigger: 'first_step_committed', to: 'active', guard: activationReached },
    { from: 'not_ready', trigger: 'expire', to: 'canceled' },
    { from: 'pending', trigger: 'activate', to: 'scheduled' },
    { from: 'pending', trigger: 'change', to: 'moved' },
    { from: 'pending', trigger: 'cancel', to: 'canceled' },
    { from: 'pending', trigger: 'expire', to: 'canceled' },
    { from: 'scheduled', trigger: 'activation_reached', to: 'active' },
    { from: 'scheduled', trigger: 'take_over', to: 'active' },
    { from: 'scheduled', trigger: 'replace', to: 'canceled' },
    { from: 'scheduled', trigger: 'change', to: 'moved' },
    { from: 'scheduled', trigger: 'cancel', to: 'canceled' },
    { from: 'scheduled', trigger: 'expire', to: 'canceled' },
    { from: 'active', trigger: 'change', to: 'moved' },
    { from: 'active', trigger: 'cancel', to: 'canceled' },
    { from: 'active', trigger: 'expire', to: 'canceled' },
  ],
};
