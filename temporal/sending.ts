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
  // an older chain's row has been sent before and deleted since: a run that the message starts lists the latest events
  const known = start?.isNew === false && waitsSince === null ? { ...start, seen: null } : start;
  const goesOn: Sending = { start: known, running: 'goes on', waits: null };
  if (known?.beginsAt == null || known.seen === null) return goesOn;
  const waits = { beginsAt: known.beginsAt, seen: waitsSince ?? known.seen };
  if (waitsSince !== null) return { start: { ...known, seen: waitsSince }, running: 'is ended', waits };
  return isUntried && known.isNew === true ? { ...goesOn, waits } : goesOn;
}
