import { importsOf, sourceFiles } from './sources.ts';
import { unownedTables } from './sql-scopes.ts';
import { sqlTextsOf } from './sql-texts.ts';

/**
 * Statements that look at the rows of all vendors, each with who needs that: loops and checks. On a Postgres whose rows
 * are spread by vendor they would ask every part.
 */
const OF_ALL_VENDORS: Readonly<Record<string, string>> = {
  'agenda/count-overdue': 'the alarm: due rows that nobody has done, for metrics and readiness',
  'agenda/is-word-due': 'the worker: whether word of something to come is due to anybody',
  'agenda/overdue-workflows': 'the relay: chains that were not woken, payments, refunds and detachments that stand',
  'agenda/read-overdue': 'the check of an operator',
  'agenda/take-words': 'the worker: word of what is to come on the wall clock',
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
/** Statements whose owner stands where reading their text doesn't find it. */
const OWNED_ALL_THE_SAME: readonly string[] = [
  // in a part or a name that is put in
  ...['contract/billed-usage', 'contract/detail', 'contract/running-lines', 'contract/trials', 'entitlement/read-access'],
  ...['erasure/erase-page', 'export/read-changed', 'export/read-rows', 'figure/aging', 'figure/keep-failures', 'idempotency/end-lease'],
  ...['invoice/read', 'ledger/book-invoices', 'ledger/parts', 'list/count', 'list/newest', 'list/page', 'outbox/leased-message'],
  ...['payment/candidate', 'usage/listed-total', 'usage/sum', 'vendor-account/find-keys'],
  // in the statement that this one is a part of
  ...['outbox/read-subjects', 'usage/window-units'],
];

const LOOPS_AND_CHECKS = [
  ...['worker/', 'cli/', 'test/', 'temporal/', 'activities/contract/advance.ts', 'services/contract/advance-chain.ts'],
  ...['api/http/health.ts', 'db/usage/months.ts', 'db/sql/usage/make-month.ts'],
  ...[
    'services/bill-run/',
    'db/sql/ledger/check.ts',
    'services/agenda/',
    'services/retention/',
    'services/vendor-account/end-session.ts',
    'services/webhook/notify.ts',
  ],
  'services/webhook/settled.ts',
];

const files = sourceFiles().filter((path) => path.startsWith('db/sql/') && path.split('/').length === 4);
const nameOf = (path: string): string => path.slice('db/sql/'.length, -'.ts'.length);
/** Up to where the one log of all vendors is settled: one row. */
const OF_NOBODY = new Map([['event_mark', false]]);
const unowned = files.filter((path) => sqlTextsOf(path).some((text) => unownedTables(text, OF_NOBODY).length > 0)).map(nameOf);

describe('hot statements', () => {
  it('say whose rows they read and change, by an id or a key: none looks at those of all vendors', () => {
    expect(files.length).toBeGreaterThan(150);
    expect(unowned.filter((name) => !(name in OF_ALL_VENDORS) && !OWNED_ALL_THE_SAME.includes(name))).toEqual([]);
  });

  it('the lists of exceptions name nothing else', () => {
    expect([...Object.keys(OF_ALL_VENDORS), ...OWNED_ALL_THE_SAME].filter((name) => !unowned.includes(name))).toEqual([]);
  });

  it('what looks at all vendors is used by loops and checks alone, by no request of a vendor', () => {
    const across = Object.keys(OF_ALL_VENDORS).map((name) => `db/sql/${name}.ts`);
    const users = sourceFiles().flatMap((path) =>
      importsOf(path).filter(({ to, own, typeOnly }) => own && !typeOnly && across.includes(to)),
    );
    expect(users.map(({ from }) => from).filter((from) => !LOOPS_AND_CHECKS.some((place) => from.startsWith(place)))).toEqual([]);
  });
});
