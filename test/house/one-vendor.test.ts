import { OF_ALL_VENDORS, STATEMENTS_ACROSS } from './all-vendors.ts';
import { importsOf, sourceFiles } from './sources.ts';
import { unownedTables } from './sql-scopes.ts';
import { sqlTextsOf } from './sql-texts.ts';

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
  ...[
    'worker/',
    'cli/',
    'test/',
    'temporal/dispatcher.ts',
    'temporal/schedule.ts',
    'temporal/start.ts',
    'activities/contract/advance.ts',
    'services/contract/advance-chain.ts',
  ],
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
    const users = sourceFiles().flatMap((path) =>
      importsOf(path).filter(({ to, own, typeOnly }) => own && !typeOnly && STATEMENTS_ACROSS.includes(to)),
    );
    expect(users.map(({ from }) => from).filter((from) => !LOOPS_AND_CHECKS.some((place) => from.startsWith(place)))).toEqual([]);
  });
});
