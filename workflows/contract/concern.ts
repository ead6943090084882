import type { ContractActivities } from '../../activities/contract/index.ts';
import type { DueItem } from '../messages.ts';

/**
 * One concern of a contract's lifecycle: what it waits for, and the activity that carries out everything that is due at
 * that instant, named after the first thing in the declared order.
 */
export interface Concern {
  words(item: DueItem): string;
  readonly activity: keyof ContractActivities;
}
