import { type Import, importsOf, roomOf, sourceFiles } from './sources.ts';

/**
 * Who may import from whom. `yes` = anything, `types` = `import type` alone, `messages` = types, and values from files that
 * declare messages (names of workflows, updates, signals, queries).
 */
type Leave = 'yes' | 'types' | 'messages';

const ROOMS: Record<string, Record<string, Leave>> = {
  billing: { billing: 'yes' },
  workflows: { billing: 'yes', workflows: 'yes', activities: 'types' },
  activities: { billing: 'yes', workflows: 'messages', activities: 'yes', db: 'yes', payments: 'yes', config: 'types' },
  db: { billing: 'yes', db: 'yes', config: 'types' },
  payments: { billing: 'yes', db: 'yes', payments: 'yes', config: 'types' },
  worker: { billing: 'yes', workflows: 'yes', activities: 'yes', db: 'yes', payments: 'yes', config: 'yes', worker: 'yes' },
  cli: {
    billing: 'yes',
    workflows: 'yes',
    activities: 'yes',
    db: 'yes',
    payments: 'yes',
    config: 'yes',
    worker: 'yes',
    embedded: 'yes',
    cli: 'yes',
    tools: 'yes',
  },
  embedded: {
    billing: 'yes',
    workflows: 'yes',
    activities: 'yes',
    db: 'yes',
    payments: 'yes',
    config: 'yes',
    worker: 'yes',
    embedded: 'yes',
  },
  api: { billing: 'yes', workflows: 'messages', db: 'yes', payments: 'yes', api: 'yes', portal: 'yes', config: 'yes' },
  portal: { billing: 'yes', db: 'yes', portal: 'yes', config: 'types' },
  config: { config: 'yes' },
};

const NOT_ROOMS = new Set(['test', 'bench', 'docs', 'tools', '.ci']);

/** Packages that only some rooms may touch; a room that isn't named for a package must not import it. */
const PACKAGES: Record<string, readonly string[]> = {
  koa: ['api', 'portal'],
  '@koa/router': ['api', 'portal'],
  zod: ['api', 'portal', 'config', 'cli', 'payments'],
  '@mikro-orm/core': ['db'],
  '@mikro-orm/postgresql': ['db'],
  '@mikro-orm/migrations': ['db'],
  pg: ['db', 'embedded', 'payments'],
  'decimal.js': ['billing'],
  'temporal-polyfill': ['billing'],
  '@temporalio/workflow': ['workflows'],
  '@temporalio/worker': ['worker'],
  '@temporalio/activity': ['activities', 'worker'],
  '@opentelemetry/api': ['config'],
  '@opentelemetry/sdk-trace-base': ['config'],
  '@opentelemetry/exporter-trace-otlp-http': ['config'],
};

const BILLING_PACKAGES = new Set(['decimal.js', 'temporal-polyfill']);

const allImports = sourceFiles()
  .filter((path) => path.includes('/') && !NOT_ROOMS.has(roomOf(path)))
  .flatMap(importsOf);

const told = ({ from, to, typeOnly }: Import): string => `${from} imports ${typeOnly ? 'types of ' : ''}${to}`;

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const leave = ROOMS[roomOf(from)]?.[roomOf(to)];
  if (leave === 'yes') return true;
  if (leave === 'types') return typeOnly;
  return leave === 'messages' && (typeOnly || /(^|\/)messages?(\.ts$|\/)|\.messages\.ts$/.test(to));
}

describe('the rooms of the house', () => {
  it('are all in the import table', () => {
    const rooms = new Set(
      sourceFiles()
        .filter((path) => path.includes('/'))
        .map(roomOf),
    );
    expect([...rooms].filter((room) => !(room in ROOMS) && !NOT_ROOMS.has(room))).toEqual([]);
  });

  it('import only what the table allows', () => {
    expect(allImports.filter((found) => found.own && !isAllowed(found)).map(told)).toEqual([]);
  });

  it('keep each library where it belongs', () => {
    const strays = allImports.filter(({ own, from, to, typeOnly }) => {
      const rooms = PACKAGES[to];
      return !own && !typeOnly && rooms !== undefined && !rooms.includes(roomOf(from));
    });
    expect(strays.map(told)).toEqual([]);
  });

  it('leave billing with decimal and calendar arithmetic alone', () => {
    const strays = allImports.filter(({ own, from, to }) => !own && roomOf(from) === 'billing' && !BILLING_PACKAGES.has(to));
    expect(strays.map(told)).toEqual([]);
  });
});
