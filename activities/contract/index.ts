import type { ChainActivityInput, Schedule } from '../../workflows/messages.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { advanceContracts, readSchedule } from './advance.ts';

/**
 * What the workflow of a chain calls. Each is one transaction for everything that is due at an instant, and can run
 * twice. It is named after the first due item in the declared order.
 */
export interface ContractActivities {
  /** Only reads where the chain stands: the work was done elsewhere. */
  readSchedule(input: ChainActivityInput): Promise<Schedule>;
  closeUsagePeriod(input: ChainActivityInput): Promise<Schedule>;
  endContract(input: ChainActivityInput): Promise<Schedule>;
  applyScheduledChange(input: ChainActivityInput): Promise<Schedule>;
  endTrial(input: ChainActivityInput): Promise<Schedule>;
  activate(input: ChainActivityInput): Promise<Schedule>;
  rollOverCycle(input: ChainActivityInput): Promise<Schedule>;
  endPaymentGate(input: ChainActivityInput): Promise<Schedule>;
  tellOfTrialEnd(input: ChainActivityInput): Promise<Schedule>;
  invoiceUsageSoFar(input: ChainActivityInput): Promise<Schedule>;
  collectPayment(input: ChainActivityInput): Promise<Schedule>;
  endDunning(input: ChainActivityInput): Promise<Schedule>;
}

export function contractActivities(dependencies: ActivityDependencies): ContractActivities {
  const advance = advanceContracts(dependencies);
  return {
    readSchedule: readSchedule(dependencies),
    closeUsagePeriod: advance,
    endContract: advance,
    applyScheduledChange: advance,
    endTrial: advance,
    activate: advance,
    rollOverCycle: advance,
    endPaymentGate: advance,
    tellOfTrialEnd: advance,
    invoiceUsageSoFar: advance,
    collectPayment: advance,
    endDunning: advance,
  };
}
