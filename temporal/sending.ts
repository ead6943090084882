import type { LeasedMessage } from '../db/sql/outbox/leased-message.ts';
import type { WaitingRun } from '../db/sql/outbox/mark-sent.ts';
import type { WorkflowStart } from './start.ts';

/** How a message is sent. */
export interface Sending {
  start: WorkflowStart | null;
  /** what becomes of a run that is there */
  running: 'goes on' | 'is ended';
  /** the run that waits for its first instant then; null: it has begun, or may have */
  waits: WaitingRun | null;
}

/**
 * A chain's run that waits for its first instant is ended, and another put in its place that shows where the chain
 * stands now: that costs half of what a task of it would, and loses no history, because it has none. One that has begun
 * is signalled, as is one that has something to do at once or that operators look at (`beginsAt` in `start.ts`).
 *
 * @param start null: the workflow can't be read any more, or needn't be
 */
export function sendingOf({ isUntried, waitsSince }: LeasedMessage, start: WorkflowStart | null): Sending {
  const goesOn: Sending = { start, running: 'goes on', waits: null };
  if (start?.beginsAt == null || start.seen === null) return goesOn;
  const waits = { beginsAt: start.beginsAt, seen: waitsSince ?? start.seen };
  if (waitsSince !== null) return { start: { ...start, seen: waitsSince }, running: 'is ended', waits };
  // the row of an older chain may have been sent before and deleted since
  return isUntried && start.isNew ? { ...goesOn, waits } : goesOn;
}
