import { relative } from 'node:path';
import { SLOWEST_FIRST } from './slow-files.ts';

/** What Jest says of a test file; `runner` is the path of its runner. */
export interface TestFile {
  path: string;
  context: { config: { rootDir: string; runner: string } };
}

interface FileResult {
  testFilePath: string;
  perfStats: { start: number; end: number };
}

const SEED_VARIABLE = 'PERENNIAL_TEST_SEED';
const TIMES_VARIABLE = 'PERENNIAL_TEST_TIMES';

/**
 * The order in which Jest runs the files: slowest first, so that all workers end together, or shuffled by a seed, to
 * find what depends on an order. To find what fails by chance, each file can run several times on the same servers, one
 * round behind the other. A run keeps nothing for the next one, so that the order is the same in a fresh clone.
 */
export class FileOrder {
  sort<T extends TestFile>(files: readonly T[]): T[] {
    const seed = wholeOf(SEED_VARIABLE, process.env[SEED_VARIABLE]);
    process.stderr.write(seed === null ? 'Test files: slowest first\n' : `Test files: shuffled by ${SEED_VARIABLE}=${seed}\n`);
    const times = wholeOf(TIMES_VARIABLE, process.env[TIMES_VARIABLE]) ?? 1;
    return Array.from({ length: times }, (_, round) => inOrder(files, seed === null ? null : seed + round)).flat();
  }

  shard<T extends TestFile>(files: readonly T[], { shardIndex, shardCount }: { shardIndex: number; shardCount: number }): T[] {
    return byPath(files).filter((_, i) => i % shardCount === shardIndex - 1);
  }

  allFailedTests(): never {
    throw new Error('No run knows which files failed in the one before: name them.');
  }

  /** Jest would keep how long each file took. Here is only seen that what must run last did. */
  cacheResults(files: readonly TestFile[], { testResults }: { testResults: readonly FileResult[] }): void {
    const last = new Set(files.filter(isLast).map(({ path }) => path));
    const beside = besideOthers(testResults, last);
    if (beside.length > 0) throw new Error(`ran beside other files, not after them: ${beside.join(', ')}`);
  }
}

/** The files as they are to run. */
export function inOrder<T extends TestFile>(files: readonly T[], seed: number | null): T[] {
  if (seed !== null) return shuffled(byPath(files), seed);
  const place = ({ path, context }: TestFile): number => {
    const found = SLOWEST_FIRST.indexOf(relative(context.config.rootDir, path));
    return found < 0 ? SLOWEST_FIRST.length : found;
  };
  return byPath(files).sort((a, b) => place(a) - place(b));
}

/** A whole number, or null for none. */
export function wholeOf(variable: string, text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${variable}: give a whole number of at most nine digits`);
  return Number(text);
}

const byPath = <T extends TestFile>(files: readonly T[]): T[] => [...files].sort((a, b) => (a.path < b.path ? -1 : 1));

const isLast = ({ context }: TestFile): boolean => context.config.runner.endsWith('last-runner.js');

/** Files that should have waited for all others and didn't. */
export function besideOthers(results: readonly FileResult[], last: ReadonlySet<string>): string[] {
  const ends = results.filter(({ testFilePath }) => !last.has(testFilePath)).map(({ perfStats }) => perfStats.end);
  const end = Math.max(0, ...ends);
  return results
    .filter(({ testFilePath, perfStats }) => last.has(testFilePath) && perfStats.start < end)
    .map(({ testFilePath }) => testFilePath);
}

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = numbersFrom(seed);
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** Numbers that look drawn and are the same for the same seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
