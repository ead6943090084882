import { folderOf, type Import, importsOf, read, sourceFiles } from './sources.ts';

/**
 * Who may import from whom. `yes` = anything, `types` = `import type` alone, `messages` = types, and values from files
 * that declare messages (names of workflows, signals, queries), `wire` = types, and values of JSON's shapes.
 */
type Leave = 'yes' | 'types' | 'messages' | 'wire';

const FOLDERS: Record<string, Record<string, Leave>> = {
  billing: { billing: 'yes' },
  workflows: { billing: 'yes', workflows: 'yes', activities: 'types' },
  db: { billing: 'types', db: 'yes', config: 'types' },
  metrics: { db: 'yes', payments: 'types', config: 'types', metrics: 'yes' },
  payments: { billing: 'yes', payments: 'yes', config: 'types' },
  temporal: { billing: 'types', workflows: 'messages', db: 'yes', temporal: 'yes' },
  services: { billing: 'yes', db: 'yes', temporal: 'yes', payments: 'yes', services: 'yes', config: 'types' },
  activities: {
    billing: 'yes',
    workflows: 'messages',
    services: 'yes',
    db: 'yes',
    payments: 'yes',
    temporal: 'yes',
    activities: 'yes',
  },
  api: {
    billing: 'yes',
    services: 'yes',
    db: 'yes',
    temporal: 'yes',
    payments: 'yes',
    portal: 'yes',
    console: 'yes',
    config: 'yes',
    pdf: 'yes',
    snapshots: 'yes',
    metrics: 'yes',
    api: 'yes',
  },
  snapshots: { billing: 'yes', services: 'yes', db: 'yes', api: 'wire', snapshots: 'yes' },
  pdf: { billing: 'yes', services: 'yes', db: 'types', pdf: 'yes' },
  mail: { billing: 'types', services: 'yes', portal: 'yes', db: 'types', mail: 'yes' },
  console: { billing: 'yes', services: 'yes', db: 'yes', portal: 'yes', console: 'yes', config: 'types' },
  portal: { billing: 'yes', services: 'yes', db: 'yes', portal: 'yes', config: 'types' },
  worker: {
    workflows: 'yes',
    activities: 'yes',
    services: 'yes',
    db: 'yes',
    temporal: 'yes',
    payments: 'yes',
    pdf: 'yes',
    mail: 'yes',
    snapshots: 'yes',
    config: 'yes',
    metrics: 'yes',
    worker: 'yes',
  },
  cli: {
    billing: 'yes',
    workflows: 'messages',
    services: 'yes',
    db: 'yes',
    temporal: 'yes',
    config: 'yes',
    'local-stack': 'yes',
    // an export shows what it reads from the database as the API shows it, and events with their bodies
    api: 'wire',
    snapshots: 'yes',
    cli: 'yes',
    client: 'yes',
  },
  'local-stack': { services: 'yes', db: 'yes', temporal: 'yes', worker: 'yes', config: 'yes', 'local-stack': 'yes' },
  config: { config: 'yes' },
  client: { client: 'yes' },
  mcp: { mcp: 'yes' },
};

/** Folders that may change facts directly: all others call a service. */
const WRITERS = new Set(['services', 'db']);
/**
 * Bookkeeping that is no fact of billing: messages, answers under a key, lengths of lists, sums of figures, migrations
 * that ran.
 */
const BOOKKEEPING = /^db\/(sql\/(outbox|idempotency|list|figure)\/.*|idempotency\/.*|migrate)\.ts$/;
const WRITES_SQL = new RegExp(
  [
    '\\b(insertRows|upsertRows|updateRows|insertMany|insertNew|upsertMany|updateMany)(<[^()]*>)?\\(',
    '\\b(insert|merge)\\s+into\\b',
    '\\bupdate\\s+(only\\s+)?\\S+(\\s+(as\\s+)?[a-z]+)?\\s+set\\b',
    '\\bdelete\\s+from\\b',
    '\\bcreate\\s+((temporary|temp|unlogged)\\s+)?table\\b',
  ].join('|'),
  'i',
);
const WRITES = new RegExp(
  [
    WRITES_SQL.source,
    '\\bem(\\(\\))?\\.(create|persist|assign|remove|flush|upsert|insert|native)(?!QueryBuilder)\\w*\\(',
    '\\bcreateQueryBuilder\\(\\w+\\)\\s*\\.(insert|update|upsert|delete)\\(',
  ].join('|'),
  'i',
);
/** What opens the database, and commits what services have written with its audit and messages. */
const CONNECTION = /^db\/(connect|transaction)\.ts$/;
/** What is called from outside all the same, each with why it is no fact of billing. */
const CALLED_FROM_OUTSIDE: Readonly<Record<string, string>> = {
  'worker/relay.ts imports db/usage/months.ts': 'makes the partition that the events of a month to come lie in',
};

/** Whether a file may change facts of billing. */
const isOfFacts = (path: string): boolean => path.startsWith('db/') && !BOOKKEEPING.test(path) && !CONNECTION.test(path);

const called = new Map<string, readonly string[]>();
function factsCalledBy(path: string): readonly string[] {
  const known = called.get(path) ?? importsOf(path).flatMap(({ to, typeOnly }) => (!typeOnly && isOfFacts(to) ? [to] : []));
  called.set(path, known);
  return known;
}

/** Whether a file changes rows, or calls for it what it imports from `db/`, however many files lie between. */
function writes(path: string): boolean {
  const files = new Set([path]);
  for (const file of files) {
    if (WRITES.test(read(file))) return true;
    for (const one of factsCalledBy(file)) files.add(one);
  }
  return false;
}

/** Services of the worker's loops, which enqueue, signal and delete. None advances a contract, bills or charges. */
const OF_LOOPS = [
  'services/agenda/send-reminders.ts',
  'services/agenda/signal-overdue.ts',
  'services/retention/clean.ts',
  'services/webhook/notify.ts',
];
/** Those that open what its activities use. */
const OF_CONNECTIONS = ['services/payment/open-payments.ts', 'services/webhook/transport.ts'];

const NOT_LISTED = new Set(['test', 'bench', 'docs', 'tools', '.ci']);

/** Packages that only some folders may import; a folder that isn't named for a package must not import it. */
const PACKAGES: Record<string, readonly string[]> = {
  koa: ['api', 'portal', 'console'],
  '@koa/router': ['api', 'portal', 'console'],
  'intl-messageformat': ['portal'],
  'openid-client': ['console'],
  pdfkit: ['pdf'],
  piscina: ['pdf'],
  nodemailer: ['mail'],
  yaml: ['cli'],
  zod: ['api', 'portal', 'config', 'cli', 'payments'],
  '@mikro-orm/core': ['db', 'services'],
  '@mikro-orm/postgresql': ['db'],
  '@mikro-orm/migrations': ['db'],
  pg: ['db', 'local-stack', 'payments'],
  'decimal.js': ['billing'],
  'temporal-polyfill': ['billing'],
  '@temporalio/workflow': ['workflows'],
  '@temporalio/worker': ['worker'],
  '@temporalio/activity': ['activities', 'worker'],
  // programs and commands name its types and get what is made of it
  '@temporalio/client': ['temporal'],
  'prom-client': ['metrics'],
  '@opentelemetry/api': ['config'],
  '@opentelemetry/sdk-trace-base': ['config'],
  '@opentelemetry/exporter-trace-otlp-http': ['config'],
};

const BILLING_PACKAGES = new Set(['decimal.js', 'temporal-polyfill']);

const allImports = sourceFiles()
  .filter((path) => path.includes('/') && !NOT_LISTED.has(folderOf(path)))
  .flatMap(importsOf);

const shown = ({ from, to, typeOnly }: Import): string => `${from} imports ${typeOnly ? 'types of ' : ''}${to}`;

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const leave = FOLDERS[folderOf(from)]?.[folderOf(to)];
  if (leave === 'yes') return true;
  // a statement that changes a status has the table of its lifecycle as SQL
  if (from.startsWith('db/sql/') && to.startsWith('billing/lifecycle/')) return true;
  if (leave === 'wire') return typeOnly || to.startsWith('api/wire/');
  if (leave === 'types') return typeOnly;
  return leave === 'messages' && (typeOnly || /(^|\/)messages?(\.ts$|\/)|\.messages\.ts$/.test(to));
}

/** A program's files, as far as imports are followed, and the packages that they import there. */
function loadedBy(program: string, follows: (found: Import) => boolean): { files: Set<string>; packages: Set<string> } {
  const packages = new Set<string>();
  const files = new Set([program]);
  for (const file of files) {
    const loaded = file.endsWith('.ts') ? importsOf(file).filter((found) => !found.typeOnly && follows(found)) : [];
    for (const { own, to } of loaded) (own ? files : packages).add(to);
  }
  return { files, packages };
}

const servicesAmong = (paths: Iterable<string>): string[] => [...new Set(paths)].filter((path) => folderOf(path) === 'services').toSorted();

describe('the folders of the tree', () => {
  it('are all in the import table', () => {
    const folders = new Set(
      sourceFiles()
        .filter((path) => path.includes('/'))
        .map(folderOf),
    );
    expect([...folders].filter((folder) => !(folder in FOLDERS) && !NOT_LISTED.has(folder))).toEqual([]);
  });

  it('import only what the table allows', () => {
    expect(allImports.filter((found) => found.own && !isAllowed(found)).map(shown)).toEqual([]);
  });

  it('change facts in services alone', () => {
    const outside = allImports.filter(
      ({ own, from, to, typeOnly }) => own && !typeOnly && !WRITERS.has(folderOf(from)) && isOfFacts(to) && writes(to),
    );
    expect(outside.map(shown).filter((found) => !(found in CALLED_FROM_OUTSIDE))).toEqual([]);
    expect(Object.keys(CALLED_FROM_OUTSIDE).filter((name) => !outside.map(shown).includes(name))).toEqual([]);
    const bySql = sourceFiles().filter((path) => path.includes('/') && !WRITERS.has(folderOf(path)) && !NOT_LISTED.has(folderOf(path)));
    // the sandbox stands for a processor of its own, with its own book
    expect(bySql.filter((path) => !path.startsWith('payments/sandbox/') && WRITES.test(read(path)))).toEqual([]);
  });

  it.each([
    'tx.query(`merge into contract c using given g on g.id = c.id when matched then delete`)',
    'tx.query(`create table usage_month partition of usage_event for values from ($1) to ($2)`)',
    'tx.query(`update only "contract" as c set amount = 2`)',
    "tx.query('Delete from agenda where id = $1')",
    'db.em().nativeUpdate(Plan, { id }, { archived })',
    'em.createQueryBuilder(Plan).insert(row)',
    'updateMany(tx, Invoice, rows)',
  ])('see a change of rows in %s', (source) => {
    expect(WRITES.test(source)).toBe(true);
  });

  it.each(["em.createQueryBuilder(Plan).select('*')", 'tx.query(`select 1 from contract for update`)', 'tx.em.find(Plan, { id })'])(
    'see none in %s',
    (source) => {
      expect(WRITES.test(source)).toBe(false);
    },
  );

  it('see a change of rows behind another file', () => {
    expect(WRITES.test(read('db/usage/months.ts'))).toBe(false);
    expect(writes('db/usage/months.ts')).toBe(true);
  });

  it('let the worker advance and charge in activities alone: by itself it calls a few services that do neither, its loops nothing else', () => {
    const ofWorker = allImports.filter(({ own, from, typeOnly }) => own && !typeOnly && folderOf(from) === 'worker');
    expect(servicesAmong(ofWorker.map(({ to }) => to))).toEqual([...OF_LOOPS, ...OF_CONNECTIONS].toSorted());
    expect(servicesAmong(loadedBy('worker/relay.ts', () => true).files)).toEqual(OF_LOOPS.toSorted());
    expect(ofWorker.filter(({ to }) => folderOf(to) === 'activities').map(shown)).toEqual(['worker/main.ts imports activities/index.ts']);
    expect(ofWorker.filter(({ to }) => to === 'worker/loop.ts').map(shown)).toEqual(['worker/relay.ts imports worker/loop.ts']);
  });

  it('load at the start of API and worker no library that only some installations use', () => {
    for (const program of ['api/main.ts', 'worker/main.ts']) {
      const { packages } = loadedBy(program, ({ atStart }) => atStart);
      expect(packages).toContain('pg');
      const seldom = ['stripe', 'nodemailer', 'openid-client', '@opentelemetry/sdk-trace-base', 'pdfkit', 'fontkit'];
      expect(seldom.filter((name) => packages.has(name))).toEqual([]);
    }
  });

  it('keep each library where it belongs', () => {
    const strays = allImports.filter(({ own, from, to, typeOnly }) => {
      const folders = PACKAGES[to];
      return !own && !typeOnly && folders !== undefined && !folders.includes(folderOf(from));
    });
    expect(strays.map(shown)).toEqual([]);
  });

  it('call Temporal in temporal/ alone', () => {
    const paths = sourceFiles().filter((path) => path.includes('/') && !NOT_LISTED.has(folderOf(path)) && !path.startsWith('temporal/'));
    const calls = /\b(workflowService|operatorService)\b|\bclient\.(workflow|schedule)\b/;
    expect(paths.filter((path) => calls.test(read(path)))).toEqual([]);
  });

  it('leave billing with decimal and calendar arithmetic alone', () => {
    const strays = allImports.filter(({ own, from, to }) => !own && folderOf(from) === 'billing' && !BILLING_PACKAGES.has(to));
    expect(strays.map(shown)).toEqual([]);
  });
});
