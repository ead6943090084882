import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf, ROOT, read, sourceFiles } from './sources.ts';

const files = sourceFiles();
const outside = (...folders: string[]): string[] => files.filter((path) => !folders.includes(folderOf(path)));
const containing = (paths: readonly string[], pattern: RegExp): string[] => paths.filter((path) => pattern.test(read(path)));

describe('the source', () => {
  it('reads the environment only in config', () => {
    const house = outside('config', 'test', '.ci', 'bench', 'docs', 'tools').filter(
      (path) => !/^(client\/examples\/|mcp\/src\/main\.ts$)/.test(path),
    );
    expect(containing(house, /process\.env\b/)).toEqual([]);
  });

  it('has no notes to be done later', () => {
    const marks = new RegExp(['\\b(TO', 'DO|FIX', 'ME|XX', 'X|HA', 'CK)\\b'].join(''));
    expect(containing(files, marks)).toEqual([]);
  });

  it('has no file above 400 lines', () => {
    expect(files.filter((path) => read(path).split('\n').length > 401)).toEqual([]);
  });

  it('names its files in kebab-case', () => {
    expect(
      files.filter((path) => !/^\.?([a-z0-9-]+\/)*[a-z0-9-]+(\.(test|property.test|workflow|messages|bench))?\.ts$/.test(path)),
    ).toEqual([]);
  });

  it('has a README in every folder', () => {
    const folders = [...new Set(files.filter((path) => path.includes('/')).map(folderOf))];
    expect(folders.filter((folder) => !existsSync(join(ROOT, folder, 'README.md')))).toEqual([]);
  });

  it('never turns decimal text into a float', () => {
    const elsewhere = outside('test', 'bench').filter((path) => !path.startsWith('billing/money/'));
    expect(containing(elsewhere, /\bparseFloat\(|\.toNumber\(/)).toEqual([]);
  });
});

describe('the tests', () => {
  const tests = files.filter((path) => path.endsWith('.test.ts'));

  it('are never skipped or run alone', () => {
    const marks = new RegExp(`\\b(it|test|describe|story)\\.(${['sk', 'ip|on', 'ly|to', 'do'].join('')})\\b|\\bx(it|describe)\\(`);
    expect(containing(tests, marks)).toEqual([]);
  });

  it('connect to Temporal in a way that lets their calls end', () => {
    const others = files.filter((path) => folderOf(path) === 'test' && path !== 'test/support/temporal.ts');
    expect(containing(others, new RegExp('(?<!Native)Conn' + 'ection\\.(connect|lazy)\\('))).toEqual([]);
  });

  /** What waits by the clock, each for a reason; everything else polls through `eventually`. */
  const WAITING = new Set([
    'test/support/eventually.ts', // polls
    'test/fire/courier.ts', // sends again until the response is final
    'test/unit/metrics/event-loop.test.ts', // holds up the loop whose watch it tests
    'test/walks/measure.ts', // waits for the instant at which a period ends
  ]);

  it('and their support poll for a condition and never wait for a fixed time', () => {
    const waits = new RegExp(['set', 'Timeout\\(|set', 'Interval\\(|timers/', 'promises|Atomics\\.', 'wait|pg_', 'sleep'].join(''));
    const found = containing(
      files.filter((path) => folderOf(path) === 'test'),
      waits,
    );
    expect(found.toSorted()).toEqual([...WAITING].toSorted());
  });
});
