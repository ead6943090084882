import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { Schedule } from '../messages.ts';
import { chainAttributes } from './attributes.messages.ts';

/**
 * Keeps the search attributes up to date. Those that the run began with, or that were written last, are not written
 * again: each write is an event of the history.
 */
export function showAttributes(schedule: Schedule): void {
  const { typedSearchAttributes: shown } = workflowInfo();
  const changed = chainAttributes(schedule).filter(({ key, value }) => JSON.stringify(shown.get(key) ?? null) !== JSON.stringify(value));
  if (changed.length > 0) upsertSearchAttributes(changed);
}
