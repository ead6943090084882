import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  type Command,
  type ContractRef,
  type Json,
  OPERATIONS,
  STATE_QUERY,
  type StateAnswer,
  TIMELINE_QUERY,
  type TimelineEntry,
  WAKE_SIGNAL,
} from '../messages.ts';
import { ContractLife } from './life.ts';

const wakeSignal = defineSignal(WAKE_SIGNAL);
const stateQuery = defineQuery<StateAnswer | null>(STATE_QUERY);
const timelineQuery = defineQuery<TimelineEntry[]>(TIMELINE_QUERY);
const updates = OPERATIONS.map((operation) => ({ operation, update: defineUpdate<Json, [Command]>(operation) }));

/**
 * Keeps time for one contract. It may begin at any moment of the contract's life, since it knows nothing but what its rows say:
 * a new run, a lost namespace and a restored backup are all the same to it.
 */
export async function contractLifecycle({ contractId }: ContractRef): Promise<void> {
  const life = new ContractLife(contractId);
  for (const { operation, update } of updates) {
    setHandler(update, (command) => life.carryOut(operation, command), { validator: (command) => life.check(command) });
  }
  setHandler(wakeSignal, () => life.wake());
  setHandler(stateQuery, () => life.state());
  setHandler(timelineQuery, () => life.timeline());

  await life.advance();
  while (!life.over) {
    await life.untilDueOrTold();
    if (life.hasWork) await life.advance();
    if (life.quiet && allHandlersFinished() && workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof contractLifecycle>({ contractId });
    }
  }
  await condition(allHandlersFinished);
}
