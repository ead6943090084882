import { join } from 'node:path';
import { besideOthers, FileOrder, inOrder, type TestFile, wholeOf } from '../support/file-order.ts';
import { SLOWEST_FIRST } from '../support/slow-files.ts';
import { ROOT, sourceFiles } from './sources.ts';

const tests = sourceFiles().filter((path) => path.endsWith('.test.ts'));
const asJestSays = (path: string): TestFile => ({ path: join(ROOT, path), context: { config: { rootDir: ROOT, runner: 'jest-runner' } } });
const ordered = (files: readonly string[], seed: number | null): string[] =>
  inOrder(files.map(asJestSays), seed).map(({ path }) => path.slice(ROOT.length + 1));

describe('the order of the test files', () => {
  it('names slow files that exist, each once', () => {
    expect(SLOWEST_FIRST.filter((path) => !tests.includes(path))).toEqual([]);
    expect(new Set(SLOWEST_FIRST).size).toBe(SLOWEST_FIRST.length);
  });

  it('begins with the slowest, whatever order Jest finds them in', () => {
    expect(ordered(tests.toReversed(), null).slice(0, SLOWEST_FIRST.length)).toEqual(SLOWEST_FIRST);
    expect(ordered(tests.toReversed(), null)).toEqual(ordered(tests, null));
  });

  it('is another for each seed, with every file in it, and the same for the same one', () => {
    expect(ordered(tests, 1)).toEqual(ordered(tests.toReversed(), 1));
    expect(ordered(tests, 1).toSorted()).toEqual(tests.toSorted());
    const beginnings = Array.from({ length: 20 }, (_, seed) => ordered(tests, seed)[0]);
    expect(new Set(beginnings).size).toBeGreaterThan(10);
  });

  it('has each file as often as asked, one round behind the other, each in an order of its own where there is a seed', () => {
    const files = tests.slice(0, 50).map(asJestSays);
    const rounds = (seed: string): string[][] => {
      Object.assign(process.env, { PERENNIAL_TEST_TIMES: '2', PERENNIAL_TEST_SEED: seed });
      const paths = new FileOrder().sort(files).map(({ path }) => path);
      return [paths.slice(0, 50), paths.slice(50)];
    };
    const [first, second] = rounds('');
    expect(second).toEqual(first);
    const [shuffled, otherwise] = rounds('7');
    expect(otherwise).not.toEqual(shuffled);
    expect(otherwise?.toSorted()).toEqual(shuffled?.toSorted());
  });

  it('refuses a seed that is no whole number', () => {
    expect([undefined, '', '0', '7'].map((text) => wholeOf('PERENNIAL_TEST_SEED', text))).toEqual([null, null, 0, 7]);
    expect(() => wholeOf('PERENNIAL_TEST_SEED', 'now')).toThrow('PERENNIAL_TEST_SEED: give a whole number');
  });

  it('sees a file that ran beside others though it had to wait for them', () => {
    const ran = (testFilePath: string, start: number, end: number) => ({ testFilePath, perfStats: { start, end } });
    expect(besideOthers([ran('a', 0, 10), ran('b', 2, 12), ran('last', 12, 13)], new Set(['last']))).toEqual([]);
    expect(besideOthers([ran('a', 0, 10), ran('b', 2, 12), ran('last', 11, 13)], new Set(['last']))).toEqual(['last']);
  });
});
