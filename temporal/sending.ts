import type { LeasedMessage } from '../db/sql/outbox/leased-message.ts';
import type { UnbegunRun } from '../db/sql/outbox/mark-sent.ts';
import type { WorkflowStart } from './start.ts';

/** How a message is sent. */
export interface Sending {
  start: WorkflowStart | null;
  /** what becomes of a run that is there */
  running: 'goes on' | 'is ended';
  /** the run that waits for its instant then */
  unbegun: UnbegunRun | null;
}

/**
 * A run of a chain that waits for its first instant is ended and another put in its place, which shows where the chain
 * stands now: that costs half of what a task of it would, and loses no history, because it has none. One that has begun
 * is signalled, as is every workflow that has something to do at once.
 *
 * @param start null: the workflow is not to be read before the message is sent
 */
export function sendingOf({ isFirst, tries, unbegunSince }: LeasedMessage, start: WorkflowStart | null): Sending {
  const goesOn: Sending = { start, running: 'goes on', unbegun: null };
  if (start?.runsAt == null || start.seen === null) return goesOn;
  if (unbegunSince !== null) {
    const unbegun = { beginsAt: start.runsAt, seen: unbegunSince };
    return { start: { ...start, seen: unbegunSince }, running: 'is ended', unbegun };
  }
  // an earlier try may have reached Temporal; that of an older chain may be so old that its row has been deleted
  return isFirst && tries === 0 && start.isNew ? { ...goesOn, unbegun: { beginsAt: start.runsAt, seen: start.seen } } : goesOn;
}
