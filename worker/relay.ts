import type { Logger } from 'pino';
import type { Database } from '../db/connect.ts';
import type { OverduePlace } from '../db/sql/agenda/overdue-workflows.ts';
import { addUpFigures } from '../db/sql/figure/add-up.ts';
import { addUpChanges } from '../db/sql/list/add-up-changes.ts';
import { addUpCustomers } from '../db/sql/list/add-up-customers.ts';
import { makeUsageMonths } from '../db/usage/months.ts';
import { sendDueReminders } from '../services/agenda/send-reminders.ts';
import { signalOverdue, signalSilent } from '../services/agenda/signal-overdue.ts';
import { cleanUp, type Kept } from '../services/retention/clean.ts';
import { notifyEndpoints } from '../services/webhook/notify.ts';
import type { OutboxDispatcher } from '../temporal/dispatcher.ts';
import { type Loop, startLoop } from './loop.ts';

/** Milliseconds between two passes of the relay. */
const RELAY_EVERY = 2_000;
/** Milliseconds after which an event reaches its endpoints at the latest, where nothing holds it up. */
const NEWS_EVERY = 500;
/** Milliseconds between two looks for a vendor's first endpoint; its own workflow tells of it earlier. */
const NOBODY_EVERY = 30_000;
/** Milliseconds between two passes of each other loop. */
const OVERDUE_EVERY = 30_000;
const REMINDERS_EVERY = 30_000;
const ADD_UP_EVERY = 30_000;
const FORGET_EVERY = 600_000;
const MONTHS_EVERY = 3_600_000;
/** Milliseconds that others have between two steps of cleaning. */
const CLEAN_PAUSE = 100;
/** Rows deleted in one short transaction. */
const CLEANED_AT_ONCE = 1_000;
/** Rows added up in one short statement; a herd's rollover leaves many. */
const AT_ONCE = 5_000;

/** What the loops work with. */
interface LoopParts {
  db: Database;
  log: Logger;
  dispatcher: OutboxDispatcher;
  retention: Kept;
  /** of the cleaning: what was deleted, and how many rows */
  deleted(what: string, rows: number): void;
}

/** Sends the messages that their own process couldn't send: it ended after its commit, or Temporal didn't answer. */
const startRelay = ({ dispatcher, log }: LoopParts): Loop =>
  startLoop({ name: 'relay', everyMs: RELAY_EVERY, log, pass: () => dispatcher.sendDue() });

/**
 * Signals the workflows of webhook endpoints that the log has events for them. While no vendor has an endpoint it
 * hardly ever looks; `wake` tells it that one was made.
 */
function startNotifying({ db, log }: LoopParts): Loop {
  let isAsked = true;
  const pass = async (): Promise<boolean> => {
    const notified = await notifyEndpoints(db);
    isAsked = notified !== null;
    return notified === 'some';
  };
  return startLoop({ name: 'notify', everyMs: () => (isAsked ? NEWS_EVERY : NOBODY_EVERY), log, pass });
}

/**
 * Signals the workflows whose due instant passed a minute ago, and starts those that don't run. It does none of their
 * work itself.
 */
function startOverdueWatch({ db, log }: LoopParts): Loop {
  let after: OverduePlace | null = null;
  const pass = async (): Promise<boolean> => {
    after = await signalOverdue(db, after);
    return after !== null || (await signalSilent(db));
  };
  return startLoop({ name: 'overdue', everyMs: OVERDUE_EVERY, log, pass });
}

/** Sends reminders of invoices and of expiring cards days ahead; a herd's are written in groups. */
const startSendingReminders = ({ db, log }: LoopParts): Loop =>
  startLoop({ name: 'reminders', everyMs: REMINDERS_EVERY, log, pass: () => sendDueReminders(db) });

/** Deletes old rows that are no facts of billing, step by step; others have a pause between the steps. */
function startForgetting({ db, log, retention, deleted }: LoopParts): Loop {
  let isMore = false;
  const pass = async (): Promise<boolean> => {
    isMore = await cleanUp(db, retention, { now: Date.now(), most: CLEANED_AT_ONCE, deleted });
    return false;
  };
  return startLoop({ name: 'forget', everyMs: () => (isMore ? CLEAN_PAUSE : FORGET_EVERY), log, pass });
}

/** Adds up what statements have changed in the counts of lists, so that reading a count stays cheap. */
function startAddingUp({ db, log }: LoopParts): Loop {
  const pass = async (): Promise<boolean> => Math.max(await addUpChanges(db, AT_ONCE), await addUpCustomers(db, AT_ONCE)) === AT_ONCE;
  return startLoop({ name: 'list counts', everyMs: ADD_UP_EVERY, log, pass });
}

/** Adds up what was written of figures, so that a report over years reads one row a day. */
const startAddingFigures = ({ db, log }: LoopParts): Loop =>
  startLoop({ name: 'figures', everyMs: ADD_UP_EVERY, log, pass: async () => (await addUpFigures(db, AT_ONCE)) === AT_ONCE });

/** Makes the partitions of usage events for the months to come. */
const startMakingMonths = ({ db, log }: LoopParts): Loop => {
  const pass = async (): Promise<boolean> => {
    await makeUsageMonths(db, Date.now());
    return false;
  };
  return startLoop({ name: 'usage months', everyMs: MONTHS_EVERY, log, pass });
};

/** Every loop of the worker. */
export const LOOPS = {
  relay: startRelay,
  overdue: startOverdueWatch,
  reminders: startSendingReminders,
  forget: startForgetting,
  notify: startNotifying,
  listCounts: startAddingUp,
  figures: startAddingFigures,
  usageMonths: startMakingMonths,
} as const satisfies Record<string, (parts: LoopParts) => Loop>;

export type LoopName = keyof typeof LOOPS;

/** Starts loops by their names. */
export const startLoops = <Name extends LoopName>(names: readonly Name[], parts: LoopParts): Record<Name, Loop> =>
  Object.fromEntries(names.map((name) => [name, LOOPS[name](parts)])) as Record<Name, Loop>;
