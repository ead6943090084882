import { importsOf, sourceFiles } from './sources.ts';

/**
 * Statements that look at the rows of all vendors, each with who needs that: loops and checks. On a Postgres whose rows
 * are spread by vendor they would ask every part.
 */
export const OF_ALL_VENDORS: Readonly<Record<string, string>> = {
  'agenda/count-overdue': 'the alarm: due rows that nobody has done, for metrics and readiness',
  'agenda/is-reminder-due': 'the worker: whether a reminder of something to come is due to anybody',
  'agenda/overdue-workflows': 'the relay: chains that were not woken, payments, refunds and detachments that stand',
  'agenda/read-overdue': 'the check of an operator',
  'agenda/take-reminders': 'the worker: reminders of what is to come on the wall clock',
  'contract/chain-schedule': 'the workflow of a chain: whether many fall due with it, counted up to a limit',
  'contract/next-due-vendor': 'the bill run: whose turn it is',
  'document/forget-prints': 'the worker: prints that can be made again',
  'event/forget': 'the worker: which logs begin with events that are old enough',
  'event/settle': 'the worker and readers of the logs, which have one sequence: up to where no number is missing',
  'figure/add-up': 'the worker: sums of figures',
  'idempotency/forget-old': 'the worker: keys that nobody may repeat any more',
  'import/end-open': 'the worker: imports that nobody has started',
  'import/forget-waiting': 'the worker: lines of imports that have ended',
  'ledger/check': 'the check of an operator',
  'ledger/grant-checks': 'a part of it',
  'list/add-up-changes': 'the worker: counts of lists',
  'list/add-up-customers': 'the worker: counts of customers by a plan',
  'outbox/forget-sent': 'the worker: messages that were sent long ago',
  'outbox/lease-due': 'the relay: messages to workflows',
  'portal/forget-expired': 'the worker: links and sessions that have expired',
  'usage/forget-reservations': 'the worker: reservations that keep nothing any more',
  'usage/make-month': 'the worker: the partition of a month to come',
  'usage/months-to-make': 'the worker: which of them are missing',
  'vendor-account/forget-ended-sessions': 'ending a session of the console: a hundred that would have expired anyway',
  'webhook/forget': 'the worker: old tries, and what deleted endpoints have left',
  'webhook/mark-notified': 'the worker: endpoints whose logs have news',
};

/** The files they are in. */
export const STATEMENTS_ACROSS: readonly string[] = Object.keys(OF_ALL_VENDORS).map((name) => `db/sql/${name}.ts`);

/** Where work for all vendors is done; requests and pages are of one vendor. */
const OF_WORKERS = /^(services|temporal|worker|db|activities|cli)\//;

/** What acts for all vendors, or calls what does, down to the statements; checks of health look at all. */
export function actsForAll(): Set<string> {
  const imports = sourceFiles()
    .filter((path) => OF_WORKERS.test(path))
    .flatMap((path) => importsOf(path).filter(({ own, typeOnly }) => own && !typeOnly));
  const found = new Set([...STATEMENTS_ACROSS, ...imports.map(({ to }) => to).filter((to) => to.startsWith('db/health/'))]);
  for (let size = -1; size < found.size; ) {
    size = found.size;
    for (const { from, to } of imports) if (found.has(to)) found.add(from);
  }
  return found;
}
