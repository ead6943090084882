import {
  CancellationScope,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { BillRunActivities } from '../../activities/bill-run/index.ts';
import { howMany } from '../../billing/how-many.ts';
import { CUT_OFF } from '../contract/words.messages.ts';
import { type BilledLane, CHANGED_SIGNAL } from '../messages.ts';

/** Operators see each activity, which bills several batches, and its tries. */
const { billLane } = proxyActivities<BillRunActivities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
});

const changedSignal = defineSignal(CHANGED_SIGNAL);

/** While Postgres writes for one lane, the rules run for the other. */
const LANES = 2;

interface Progress {
  contracts: number;
  batches: number;
  parked: string[];
}

/**
 * Bills contracts of the wall clock that are due together: batch by batch, each one transaction of one vendor, the
 * vendors in turn, until nothing is due. One runs at a time. Signalled while it ends, it makes another round.
 */
export async function billRun(): Promise<void> {
  let hasNews = false;
  setHandler(changedSignal, () => {
    hasNews = true;
  });
  const progress: Progress = { contracts: 0, batches: 0, parked: [] };
  await CancellationScope.nonCancellable(async () => {
    do {
      hasNews = false;
      await Promise.all(Array.from({ length: LANES }, (_, lane) => runLane(lane, progress)));
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof billRun>();
    } while (hasNews);
  });
}

/** Bills until nothing is due in the lane. */
async function runLane(lane: number, progress: Progress): Promise<void> {
  let after: string | null = null;
  for (let isDone = false; !isDone && !workflowInfo().continueAsNewSuggested; ) {
    const billed: BilledLane = await billLane({ lane, lanes: LANES, after });
    progress.contracts += billed.contracts;
    progress.batches += billed.batches;
    progress.parked.push(...billed.parked);
    setCurrentDetails(detailsText(progress));
    ({ after, isDone } = billed);
  }
}

const SHOWN = 20;

function detailsText({ contracts, batches, parked }: Progress): string {
  const names = parked.slice(0, SHOWN).map((id) => `- \`${id}\``);
  return `Billed ${howMany(contracts, 'contract')} in ${howMany(batches, 'batch', 'batches')}.${parked.length === 0 ? '' : `\n\nParked: ${parked.length}\n\n${names.join('\n')}${CUT_OFF}`}`;
}
