import { CancellationScope, defineQuery, defineSignal, makeContinueAsNewFunc, setHandler } from '@temporalio/workflow';
import {
  CHANGED_SIGNAL,
  type ChainRef,
  SEEN_MEMO,
  STATE_QUERY,
  type StateResponse,
  TIMELINE_QUERY,
  type TimelineEntry,
} from '../messages.ts';
import { lifecycle } from './lifecycle.ts';
import { rollover } from './rollover.ts';
import { ContractState } from './state.ts';

const changedSignal = defineSignal(CHANGED_SIGNAL);
const stateQuery = defineQuery<StateResponse | null>(STATE_QUERY);
const timelineQuery = defineQuery<TimelineEntry[]>(TIMELINE_QUERY);

/**
 * Waits for what is due of a chain of contracts, and has it done. It may start at any moment, because it reads all that
 * it needs: a new run, a lost namespace and a restored backup are the same case. Temporal's Cancel has no effect: what
 * ends a contract is decided through the API.
 */
export async function contractLifecycle(chain: ChainRef): Promise<void> {
  const contract = new ContractState(chain.chainId);
  setHandler(changedSignal, () => {
    contract.signals += 1;
  });
  setHandler(stateQuery, () => contract.state);
  setHandler(timelineQuery, () => contract.timeline);
  await CancellationScope.nonCancellable(() => keepTime(contract, chain));
}

async function keepTime(contract: ContractState, chain: ChainRef): Promise<void> {
  await contract.read();
  while (!contract.hasEnded || contract.hasNews) {
    const due = await contract.nextDueOrSignal();
    if (due === null || contract.isLeft) await contract.read();
    // a row of a kind that only newer code knows is left to that, and nothing else waits for it
    else await contract.carryOut(due, (lifecycle[due.kind] ?? rollover).activity);
    if (contract.shouldContinueAsNew) await continueFrom(contract, chain);
  }
}

/** A new run, whose first look lists what came after the last one of this run. */
function continueFrom({ seen }: ContractState, chain: ChainRef): Promise<never> {
  const continueAsNew = makeContinueAsNewFunc<(chain: ChainRef) => Promise<void>>(seen === null ? {} : { memo: { [SEEN_MEMO]: seen } });
  return continueAsNew(chain);
}
