import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { ImportActivities } from '../../activities/import/index.ts';
import { howMany } from '../../billing/how-many.ts';
import { CUT_OFF } from '../contract/words.messages.ts';
import { inSteps, STEP_OPTIONS } from '../in-steps.ts';
import type { ImportInput, ImportStep } from '../messages.ts';

const { importLines } = proxyActivities<ImportActivities>(STEP_OPTIONS);

/**
 * Imports a book of customers: some lines in each activity, a hundred in a transaction, until none waits or the import
 * is stopped.
 */
export function bookImport({ importId, after = null }: Pick<ImportInput, 'importId'> & Partial<ImportInput>): Promise<void> {
  return inSteps(after, {
    step: (place) => importLines({ importId, after: place }),
    details: detailsText,
    goOnAsNew: (place) => continueAsNew<typeof bookImport>({ importId, after: place }),
  });
}

const STANDING = { open: 'It is not started.', running: 'It goes on.', stopped: 'It is stopped.', done: 'It is done.' } as const;

function detailsText({ status, total, made, repeated, refused, isWaiting }: ImportStep): string {
  const waiting = isWaiting && status === 'running' ? ' It waits for a test clock that advances.' : '';
  return `Of ${howMany(total, 'line')}: ${made} imported, ${repeated} imported before, ${refused} refused. ${STANDING[status]}${waiting}${CUT_OFF}`;
}
