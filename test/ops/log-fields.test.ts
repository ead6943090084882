import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderOf, read, sourceFiles } from '../house/sources.ts';
import { eventually } from '../support/eventually.ts';
import { logsOf, servers } from '../support/servers.ts';
import { newVendor } from '../support/vendor.ts';

const page = read('docs/operating.md');
const table = page.slice(page.indexOf('| field | where | meaning |'));
const listed = new Set([...table.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []));

/** Pino's own fields, and the one that both processes add. */
const OF_EACH_LINE = ['level', 'time', 'service', 'msg'];
const ROOMS = new Set(['api', 'portal', 'services', 'activities', 'worker', 'temporal', 'db', 'payments', 'mail', 'pdf', 'metrics']);

/** The fields that the source gives to a logger, and those of the faults that it logs. */
function fieldsIn(source: string): string[] {
  const calls = [...source.matchAll(/\blog\.(?:trace|debug|info|warn|error|fatal)\(\s*\{([^{}]*)\}/g)].map(([, fields = '']) => fields);
  const faults = [...source.matchAll(/faults\.push\(\{[^{}]*about: \{([^{}]*)\}/g)].map(([, fields = '']) => fields);
  const meta = [...source.matchAll(/write\.call\(log, [^{]*\{\} : \{([^{}]*)\}/g)].map(([, fields = '']) => fields);
  return [...calls, ...faults, ...meta]
    .flatMap((fields) => fields.split(/,(?![^(]*\))/))
    .map((field) => /^\s*(\w+)/.exec(field)?.[1] ?? '')
    .filter((field) => field !== '');
}

it('every field that a line of the log can have is in the table, and no other', () => {
  const written = sourceFiles()
    .filter((path) => ROOMS.has(folderOf(path)))
    .flatMap((path) => fieldsIn(read(path)));
  expect(written.length).toBeGreaterThan(25);
  expect([...new Set([...OF_EACH_LINE, ...written])].sort()).toEqual([...listed].sort());
});

it('the lines of the running API and worker have these fields alone', async () => {
  const { api } = await newVendor();
  await api.get('/v1/c/contract/Cont_01a1feba-41e5-7520-bc2a-a212a6180492');
  const { home } = await servers();
  const linesOf = async (name: string) =>
    (await readFile(join(logsOf(home), `${name}.log`), 'utf8'))
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const lines = await eventually(async () => {
    const all = [...(await linesOf('api')), ...(await linesOf('worker'))];
    expect(all.some(({ operation, status }) => operation === 'get_contract' && status === 404)).toBe(true);
    expect(all.some(({ service }) => service === 'worker')).toBe(true);
    return all;
  });
  expect([...new Set(lines.flatMap(Object.keys))].filter((field) => !listed.has(field))).toEqual([]);
  expect(lines.filter((line) => OF_EACH_LINE.some((field) => line[field] === undefined))).toEqual([]);
});
