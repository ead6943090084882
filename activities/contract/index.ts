import type { Carried, Command, Operation, Schedule } from '../../workflows/messages.ts';
import type { Dependencies } from '../dependencies.ts';
import { advanceContract } from './advance.ts';
import { carryOut } from './carry-out.ts';

/** What a contract's workflow can have done. Each is one transaction and can be run twice. */
export interface ContractActivities {
  /** Everything due for the contract, and what comes next. `dueAt`: the instant the workflow woke for. */
  advanceContract(input: { contractId: string; dueAt: number | null }): Promise<Schedule>;
  /** One operation a caller asked for. */
  carryOut(input: { contractId: string; operation: Operation; command: Command }): Promise<Carried>;
}

export function contractActivities(dependencies: Dependencies): ContractActivities {
  return { advanceContract: advanceContract(dependencies), carryOut: carryOut(dependencies) };
}
