import type { Look, Schedule } from '../../workflows/messages.ts';
import type { Dependencies } from '../dependencies.ts';
import { advanceContracts } from './advance.ts';
import { readSchedule } from './schedule.ts';

/**
 * What the workflow of a chain can have done. Each is one transaction for everything that is due at an instant, and can be run twice; the name is the
 * first thing in the declared order.
 */
export interface ContractActivities {
  /** Where the chain stands, where the work was done elsewhere. */
  readSchedule(look: Look): Promise<Schedule>;
  closeUsagePeriod(look: Look): Promise<Schedule>;
  endContract(look: Look): Promise<Schedule>;
  applyScheduledChange(look: Look): Promise<Schedule>;
  endTrial(look: Look): Promise<Schedule>;
  activate(look: Look): Promise<Schedule>;
  rollOverCycle(look: Look): Promise<Schedule>;
  collectPayment(look: Look): Promise<Schedule>;
}

export function contractActivities(dependencies: Dependencies): ContractActivities {
  const advance = advanceContracts(dependencies);
  return {
    readSchedule: readSchedule(dependencies),
    closeUsagePeriod: advance,
    endContract: advance,
    applyScheduledChange: advance,
    endTrial: advance,
    activate: advance,
    rollOverCycle: advance,
    collectPayment: advance,
  };
}
