import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ImportActivities } from '../../activities/import/index.ts';
import { CHANGED_SIGNAL, type ImportInput, type ImportStep } from '../messages.ts';

/** An activity carries out some hundred lines, and operators should see each try. */
const { importLines } = proxyActivities<ImportActivities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
});

const changedSignal = defineSignal(CHANGED_SIGNAL);

/** Before lines are tried again whose test clock advances. */
const PAUSE = '5 seconds';

/**
 * Imports a book of customers: some lines in each activity, a hundred in a transaction, until none waits or the import
 * is stopped. It can be started again at any moment and goes on with the lines that have no outcome yet. Signalled
 * while its run is about to end, it looks once more; otherwise an import that is resumed just then would stand.
 */
export async function bookImport({ importId, after = null }: Pick<ImportInput, 'importId'> & Partial<ImportInput>): Promise<void> {
  let hasNews = false;
  setHandler(changedSignal, () => {
    hasNews = true;
  });
  await CancellationScope.nonCancellable(async () => {
    for (let place = after; ; ) {
      hasNews = false;
      const step: ImportStep = await importLines({ importId, after: place });
      setCurrentDetails(detailsText(step));
      place = step.after;
      if (step.status !== 'running' && !hasNews) break;
      if (step.isWaiting) await condition(() => hasNews, PAUSE);
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof bookImport>({ importId, after: place });
    }
  });
}

const STANDING = { open: 'It is not started.', running: 'It goes on.', stopped: 'It is stopped.', done: 'It is done.' } as const;

/** The empty paragraph is there to be cut off. */
function detailsText({ status, total, made, repeated, refused, isWaiting }: ImportStep): string {
  const waiting = isWaiting && status === 'running' ? ' It waits for a test clock that advances.' : '';
  return `Of ${total} lines ${made} are imported, ${repeated} were before, and ${refused} are refused. ${STANDING[status]}${waiting}\n\n\u00a0`;
}
